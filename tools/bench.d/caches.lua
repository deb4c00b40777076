-- A viewer by pieces, for wrk: asks for a piece as soon as it is over, one each half second.
local ffi = require("ffi")
ffi.cdef [[ typedef struct { long sec; long nsec; } moment; int clock_gettime(int, moment *); ]]
local moment = ffi.new("moment")
local run = os.getenv("RUN")

-- Seconds of the monotonic clock, which is the program's.
local function now()
  ffi.C.clock_gettime(1, moment)
  return tonumber(moment.sec) + tonumber(moment.nsec) / 1e9
end

function delay() return math.random(400, 600) end

function request()
  return wrk.format("GET", "/stream/" .. run .. "/" .. (math.floor((now() - 0.1) / 0.5) - 1))
end
