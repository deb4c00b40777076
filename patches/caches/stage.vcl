# Hands the stage of a show on to any number of viewers: Varnish asks the show once for each piece, for all viewers.
#   varnishd -F -n /tmp/visgraph-varnish -a 127.0.0.1:8081 -f "$PWD/patches/caches/stage.vcl" -s malloc,256m
# The show stands at 127.0.0.1:7780; `-a :8081` opens it to others.
vcl 4.1;

backend show {
  .host = "127.0.0.1";
  .port = "7780";
  .first_byte_timeout = 5s;
}

sub vcl_recv {
  # Varnish adds X-Forwarded-For: its viewers need the key of the show, if it has one.
  if (req.url ~ "^/socket") { return (synth(426, "Upgrade Required")); }
  if (req.url ~ "^/desk") { return (synth(404, "Not Found")); }
  if (req.method != "GET" && req.method != "HEAD") { return (synth(405, "Method Not Allowed")); }
  # The program's clock, which no cache may keep.
  if (req.url ~ "^/stream/clock") { return (pass); }
  unset req.http.Cookie;
  # Programs that take no pages would have JSON at /, and viewers after them.
  set req.http.Accept = "text/html";
  return (hash);
}

sub vcl_backend_response {
  # The page itself and its pictures: the show is asked again after ten seconds.
  if (bereq.url !~ "^/stream/" && beresp.status == 200) {
    set beresp.ttl = 10s;
    set beresp.uncacheable = false;
  }
  # The answer of a moment ago is used while a new one is requested.
  if (bereq.url ~ "^/stream/now") { set beresp.grace = 1s; }
  # That a piece is not there yet is kept for a second, and no longer.
  if (beresp.status >= 400) {
    set beresp.ttl = 1s;
    set beresp.grace = 0s;
  }
}
