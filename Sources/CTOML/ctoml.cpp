#include "ctoml.h"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

// What toml++ takes for granted, some input breaks ("[&"): an error of that text, and no end of the program.
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? (void)0 : throw std::logic_error("a key was expected, or a value"))
#define TOML_EXCEPTIONS 0
#define TOML_MAX_NESTED_VALUES 32
#include <toml++/toml.h>

namespace {

constexpr int max_dots = 16;

// toml++ bounds how deep values nest, but not how many parts a dotted key has, each of which is a table in a table.
// Finds the line of a key with too many dots, or 0. Strings and comments are passed over, so that prose does not count.
uint32_t line_of_long_key(std::string_view text) {
    uint32_t line = 1;
    int dots = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        switch (c) {
        case '\n':
            ++line;
            [[fallthrough]];
        case '=': case ',': case '[': case ']': case '{': case '}':
            dots = 0;
            break;
        case '.':
            if (++dots > max_dots) return line;
            break;
        case '#':
            while (i + 1 < text.size() && text[i + 1] != '\n') ++i;
            break;
        case '"':
        case '\'': {
            const std::string_view triple = c == '"' ? "\"\"\"" : "'''";
            const bool is_long = text.substr(i, 3) == triple;
            i += is_long ? 3 : 1;
            for (; i < text.size(); ++i) {
                if (text[i] == '\\' && c == '"') {
                    ++i;
                    if (i < text.size() && text[i] == '\n') ++line;
                } else if (text[i] == '\n') {
                    ++line;
                    // A short string cannot go on: the parser says so.
                    if (!is_long) break;
                } else if (is_long ? text.substr(i, 3) == triple : text[i] == c) {
                    if (is_long) i += 2;
                    break;
                }
            }
            break;
        }
        default:
            break;
        }
    }
    return 0;
}

ctoml_result result(std::string_view text, uint32_t line, uint32_t column = 0) noexcept {
    char *copy = static_cast<char *>(std::malloc(text.size() + 1));
    if (copy == nullptr) return {nullptr, 0, line, column};
    std::memcpy(copy, text.data(), text.size());
    copy[text.size()] = '\0';
    return {copy, text.size(), line, column};
}

toml::array place(const toml::node &node) {
    const auto begin = node.source().begin;
    return toml::array{static_cast<int64_t>(begin.line), static_cast<int64_t>(begin.column)};
}

void add_entries(const toml::table &table, toml::array &path, toml::array &entries) {
    for (auto &&[key, value] : table) {
        path.push_back(std::string(key.str()));
        if (const auto *inner = value.as_table(); inner != nullptr && !inner->empty()) {
            add_entries(*inner, path, entries);
        } else {
            toml::array places;
            places.push_back(place(value));
            if (const auto *array = value.as_array()) {
                for (const auto &element : *array) places.push_back(place(element));
            }
            toml::table entry;
            entry.insert("key", path);
            entry.insert("line", static_cast<int64_t>(key.source().begin.line));
            entry.insert("column", static_cast<int64_t>(key.source().begin.column));
            entry.insert("places", std::move(places));
            value.visit([&](const auto &concrete) { entry.insert("value", concrete); });
            entries.push_back(std::move(entry));
        }
        path.pop_back();
    }
}

// Parses a text, and gives what `write` makes of its table, or the mistake. No exception leaves it.
template <typename Write>
ctoml_result parse(const char *toml, size_t length, Write write) noexcept {
    try {
        const std::string_view text(toml, length);
        if (const uint32_t line = line_of_long_key(text)) return result("a key of too many parts", line);
        const auto parsed = toml::parse(text);
        if (!parsed) {
            const auto begin = parsed.error().source().begin;
            return result(parsed.error().description(), begin.line > 0 ? begin.line : 1, begin.column);
        }
        std::ostringstream json;
        write(parsed.table(), json);
        return result(json.str(), 0);
    } catch (const std::exception &error) {
        return result(error.what(), 1);
    } catch (...) {
        return result("the text cannot be read", 1);
    }
}

}  // namespace

extern "C" ctoml_result ctoml_to_json(const char *toml, size_t length) {
    return parse(toml, length, [](const toml::table &table, std::ostream &json) {
        json << toml::json_formatter{table};
    });
}

extern "C" ctoml_result ctoml_to_entries(const char *toml, size_t length) {
    return parse(toml, length, [](const toml::table &table, std::ostream &json) {
        toml::array path, entries;
        add_entries(table, path, entries);
        json << toml::json_formatter{entries};
    });
}

extern "C" void ctoml_free(ctoml_result result) { std::free(result.text); }
