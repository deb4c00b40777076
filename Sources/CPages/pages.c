// The pages, laid into the program by the compiler: what is not in this list is not served.
#include "CPages.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char stage_html[] = {
#embed "pages/stage.html"
};
static const unsigned char desk_html[] = {
#embed "pages/desk.html"
};
static const unsigned char desk_css[] = {
#embed "pages/desk.css"
};
static const unsigned char icon_svg[] = {
#embed "pages/icon.svg"
};
static const unsigned char desk_js[] = {
#embed "pages/desk.js"
};
static const unsigned char connection_js[] = {
#embed "pages/connection.js"
};
static const unsigned char elements_js[] = {
#embed "pages/elements.js"
};
static const unsigned char meters_js[] = {
#embed "pages/meters.js"
};
static const unsigned char panels_js[] = {
#embed "pages/panels.js"
};
static const unsigned char patchbay_js[] = {
#embed "pages/patchbay.js"
};
static const unsigned char settings_js[] = {
#embed "pages/settings.js"
};
static const unsigned char transport_js[] = {
#embed "pages/transport.js"
};

#define VG_PAGE(name, type, bytes) {name, type, bytes, sizeof bytes}
#define VG_HTML "text/html; charset=utf-8"
#define VG_SCRIPT "text/javascript; charset=utf-8"
#define VG_STYLE "text/css; charset=utf-8"

const struct vg_page vg_pages[] = {
    VG_PAGE("stage.html", VG_HTML, stage_html),
    VG_PAGE("desk.html", VG_HTML, desk_html),
    VG_PAGE("desk.css", VG_STYLE, desk_css),
    VG_PAGE("icon.svg", "image/svg+xml", icon_svg),
    VG_PAGE("desk.js", VG_SCRIPT, desk_js),
    VG_PAGE("connection.js", VG_SCRIPT, connection_js),
    VG_PAGE("elements.js", VG_SCRIPT, elements_js),
    VG_PAGE("meters.js", VG_SCRIPT, meters_js),
    VG_PAGE("panels.js", VG_SCRIPT, panels_js),
    VG_PAGE("patchbay.js", VG_SCRIPT, patchbay_js),
    VG_PAGE("settings.js", VG_SCRIPT, settings_js),
    VG_PAGE("transport.js", VG_SCRIPT, transport_js),
};
const size_t vg_page_count = sizeof vg_pages / sizeof vg_pages[0];
const uint64_t vg_pages_hash = 0;
