-- Of a hundred requests 60 articles, 25 lists, 5 searches and 10 marks, and what became of the marks.
-- wrk ... -- ARTICLES SESSION SEED MARKS-END
--
-- Each thread marks articles of its own, each once with a star and then, if there are no more, for later. Marks end at a time
-- in seconds since 1970, so that all are answered before wrk hangs up: then exactly as many are to be found as were
-- acknowledged, and one that was lost cannot hide behind one that was not answered. An answer to a mark is known by what it begins with: no page begins so.
local threads = {}

function setup(thread)
    thread:set("number", #threads)
    threads[#threads + 1] = thread
end

local words = { "article", "coordinator", "gate", "journal", "navigation", "screen", "snapshot", "token" }
local count, browser, program, marks_end

function init(arguments)
    count = tonumber(arguments[1])
    browser = { ["Cookie"] = "session=" .. arguments[2], ["Accept"] = "text/html" }
    program = { ["Authorization"] = "Bearer " .. arguments[2], ["Content-Type"] = "application/json" }
    math.randomseed(tonumber(arguments[3]) + number)
    marks_end = tonumber(arguments[4])
    sent, acknowledged, refused = 0, 0, 0
end

local function slug()
    return "article-" .. math.random(0, count - 1)
end

-- A thread's n-th mark: of every second article, first the stars.
local function mark()
    local half = math.floor(count / 2)
    local state = sent < half and "starred" or "later"
    local article = (sent % half) * 2 + number % 2
    sent = sent + 1
    return wrk.format("PUT", "/api/v1/articles/article-" .. article .. "/marks", program, '{"' .. state .. '":true}')
end

function request()
    local chance = math.random(100)
    if chance <= 60 then
        return wrk.format("GET", "/articles/" .. slug(), browser)
    elseif chance <= 75 then
        return wrk.format("GET", "/articles", browser)
    elseif chance <= 85 then
        return wrk.format("GET", "/articles?tag=" .. words[math.random(#words)], browser)
    elseif chance <= 90 then
        local first, second = words[math.random(#words)], words[math.random(#words)]
        return wrk.format("GET", "/articles?search=" .. first .. "+" .. second, browser)
    elseif os.time() < marks_end then
        return mark()
    else
        return wrk.format("GET", "/articles/" .. slug(), browser)
    end
end

function response(status, fields, body)
    if status ~= 200 then
        refused = refused + 1
    elseif body:sub(1, 9) == '{"marks":' then
        acknowledged = acknowledged + 1
    end
end

function done(summary, latency)
    local all, kept, wrong = 0, 0, 0
    for _, thread in ipairs(threads) do
        all = all + thread:get("sent")
        kept = kept + thread:get("acknowledged")
        wrong = wrong + thread:get("refused")
    end
    local errors = summary.errors
    io.write(string.format(
        '\n{"requests": %d, "seconds": %f, "sent": %d, "acknowledged": %d, "refused": %d, "connect": %d, "read": %d, '
            .. '"write": %d, "timeout": %d, "p50": %f, "p99": %f}\n',
        summary.requests, summary.duration / 1e6, all, kept, wrong, errors.connect, errors.read, errors.write,
        errors.timeout, latency:percentile(50) / 1e6, latency:percentile(99) / 1e6))
end
