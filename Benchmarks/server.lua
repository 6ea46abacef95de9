-- Asks for the paths of a file in turn, a line each: what one route is measured with. wrk ... -- FILE
local paths, next_path = {}, 0

function init(arguments)
    for line in io.lines(arguments[1]) do
        paths[#paths + 1] = wrk.format("GET", line)
    end
    next_path = math.random(#paths)
end

function request()
    next_path = next_path % #paths + 1
    return paths[next_path]
end
