internal import CQRCode
internal import FlowCoordinators
internal import Text

extension ScreenPage {
    /// Returns the form.
    func form(_ form: Form) -> HTML {
        let version = (filled.values[.version] ?? form.version).map { version -> HTML in
            "<input type=\"hidden\" name=\"\(FieldName.version.rawValue)\" value=\"\(version)\">"
        }
        let hasFile = form.fields.contains { if case .file = $0.kind { true } else { false } }
        let encoding: HTML? = hasFile ? " enctype=\"multipart/form-data\"" : nil
        let first = form.fields.first
        // With a name that is filled in already, only the password is missing.
        let password = first.map { value(of: $0).isEmpty } == false ? form.fields.first { $0.name.isSecret } : nil
        let focus = screen.notice?.field ?? (password ?? first)?.name
        let fields = form.fields.map { self.field($0, isFocused: $0.name == focus, in: form) }
        let trial = form.trialLabel.map { label -> HTML in
            "<button name=\"\(Submission.Name.command)\" value=\"\(Submission.Command.tried.text)\">\(label)</button>"
        }
        return """
            \(form.handover.map(handover))<form class="fields" method="post" action="\(address.text)"\(encoding)>\(frame.hiddenFields)\(kept)\(version)
            \(fields)<p class="buttons"><button class="strong" name="\(Submission.Name.command)" \
            value="\(Submission.Command.sent.text)">\(form.submitLabel)</button>\(trial)</p></form>

            """
    }

    /// Hidden fields with the values of a form whose session had ended. Every form of the login contains them, so that
    /// they survive until that form is shown again.
    var kept: HTML {
        filled.deferred.sorted { $0.key.rawValue < $1.key.rawValue }.html { field, value in
            "<input type=\"hidden\" name=\"\(Submission.Name.kept)\(field.rawValue)\" value=\"\(value)\">"
        }
    }

    private func value(of field: Form.Field) -> String { filled.values[field.name] ?? field.value }

    private func field(_ field: Form.Field, isFocused: Bool, in form: Form) -> HTML {
        let id = "field-\(field.name.rawValue)"
        let value = value(of: field)
        let verdict = verdict(on: field, in: form)
        let isDescribed = field.hint != nil || verdict != nil
        let invalid: HTML? = verdict == nil ? nil : " aria-invalid=\"true\""
        let described: HTML? = isDescribed ? "\(invalid) aria-describedby=\"\(id)-hint\"" : nil
        let focus: HTML? = isFocused ? " autofocus" : nil
        let input: HTML =
            switch field.kind {
            case .text:
                """
                <input id="\(id)" name="\(field.name.rawValue)" value="\(value)" autocomplete="\(autocomplete(field, in: form))" \
                autocapitalize="none" spellcheck="false" dir="auto"\(described)\(focus)>
                """
            case .lines:
                // HTML ignores the first line break after the tag.
                """
                <textarea id="\(id)" name="\(field.name.rawValue)" rows="12" dir="auto"\(described)\(focus)>
                \(value)</textarea>
                """
            case .file:
                "<input type=\"file\" id=\"\(id)\" name=\"\(field.name.rawValue)\"\(described)\(focus)>"
            case .secret:
                """
                <input type="password" id="\(id)" name="\(field.name.rawValue)" \
                autocomplete="\(autocomplete(field, in: form))"\(described)\(focus)>
                """
            case .choice(let choices):
                """
                <select id="\(id)" name="\(field.name.rawValue)"\(described)\(focus)>\(choices.map { choice -> HTML in
                    "<option value=\"\(choice.value)\"\(choice.value == value ? " selected" : "" as HTML)>\(choice.label)</option>"
                })</select>
                """
            case .toggle:
                // Browsers omit a box that is not checked, so an empty answer follows it. The first answer counts.
                """
                <input type="checkbox" id="\(id)" name="\(field.name.rawValue)" value="\(Form.Field.on)"\
                \(value == Form.Field.on ? " checked" : "" as HTML)\(described)\(focus)>
                """
            }
        let hint: HTML? =
            described == nil
            ? nil
            : "<small id=\"\(id)-hint\">\(verdict.map { "<strong class=\"wrong\">\(sentence: $0.asSentence)</strong> " as HTML })\(field.hint ?? "")</small>"
        return """
            \(row(field, id: id, input))\(hint)</p>
            \(otherChange(of: field, from: value, in: form))
            """
    }

    /// Returns the start of the paragraph of a field: its label and its input.
    private func row(_ field: Form.Field, id: String, _ input: HTML) -> HTML {
        guard case .toggle = field.kind else {
            return "<p class=\"field\"><label for=\"\(id)\">\(field.label)</label>\(input)"
        }
        return """
            <p class="field toggle"><label>\(input)\(field.label)</label>\
            <input type="hidden" name="\(field.name.rawValue)" value="">
            """
    }

    /// The saved text of the field, if another page saved it and it differs from the text that the user typed.
    private func otherChange(of field: Form.Field, from value: String, in form: Form) -> HTML? {
        guard form.hasEditConflict || filled.hasEditConflict, value != field.value else { return nil }
        let saved: HTML =
            field.value.isEmpty ? "<p>Empty.</p>" : "<pre class=\"lines\" dir=\"auto\">\(field.value)</pre>"
        return """
            <section class="saved" aria-label="\(field.label), saved in the meantime"><p><strong>\(field.label), saved in the meantime:</strong></p>\(saved)</section>

            """
    }

    /// The error in a field that the user filled in, if there is one.
    private func verdict(on field: Form.Field, in form: Form) -> String? {
        if filled.values[field.name] != nil, case .wrong(let words)? = field.check?(Answers(filled.values)) {
            return words
        }
        return screen.notice?.field == field.name ? screen.notice?.text : nil
    }

    /// The hint for password managers about a field.
    private func autocomplete(_ field: Form.Field, in form: Form) -> String {
        let choosesPassword = form.fields.contains { $0.name == .newPassword || $0.name == .confirmation }
        return switch field.name {
        case .username: "username"
        case .password:
            choosesPassword && !form.fields.contains { $0.name == .newPassword } ? "new-password" : "current-password"
        case .newPassword, .confirmation: "new-password"
        case .code: "one-time-code"
        default: "off"
        }
    }

    /// The secret to transfer to another device first.
    private func handover(_ handover: Form.Handover) -> HTML {
        """
        <div class="handover">\(QRImage(handover.address)?.html)<p>\(handover.hint)</p><p><code>\(handover.text)</code></p></div>

        """
    }
}

/// A QR code as an image in the page.
struct QRImage {
    let html: HTML

    /// Creates the code for a text; nil if the text is too long.
    init?(_ text: String) {
        guard !text.isEmpty, let code = cqrcode_encode(text, QR_ECLEVEL_M) else { return nil }
        defer { cqrcode_free(code) }
        let width = Int(code.pointee.width)
        guard let modules = code.pointee.data else { return nil }
        // The margin of four modules is part of the code (ISO/IEC 18004).
        var path = ""
        for row in 0..<width {
            for column in 0..<width where modules[row * width + column] & 1 == 1 {
                path += "M\(column + 4) \(row + 4)h1v1h-1z"
            }
        }
        let size = width + 8
        html = """
            <svg class="qr" role="img" aria-label="QR code" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <rect width="\(size)" height="\(size)" fill="#fff"/><path fill="#000" d="\(path)"/></svg>
            """
    }
}
