// The pages, embedded in the program. Only the files in `vg_pages` are served. Both lists are in the order of names.
#include "CPages.h"
#include "build.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char awake_js[] = {
#embed "pages/awake.js"
};
static const unsigned char build_js[] = {
#embed "pages/build.js"
};
static const unsigned char connection_js[] = {
#embed "pages/connection.js"
};
static const unsigned char control_js[] = {
#embed "pages/control.js"
};
static const unsigned char cues_js[] = {
#embed "pages/cues.js"
};
static const unsigned char desk_parts_css[] = {
#embed "pages/desk-parts.css"
};
static const unsigned char desk_small_css[] = {
#embed "pages/desk-small.css"
};
static const unsigned char desk_css[] = {
#embed "pages/desk.css"
};
static const unsigned char desk_html[] = {
#embed "pages/desk.html"
};
static const unsigned char desk_js[] = {
#embed "pages/desk.js"
};
static const unsigned char elements_js[] = {
#embed "pages/elements.js"
};
static const unsigned char faders_js[] = {
#embed "pages/faders.js"
};
static const unsigned char fields_js[] = {
#embed "pages/fields.js"
};
static const unsigned char head_js[] = {
#embed "pages/head.js"
};
static const unsigned char history_js[] = {
#embed "pages/history.js"
};
static const unsigned char icon_svg[] = {
#embed "pages/icon.svg"
};
static const unsigned char key_css[] = {
#embed "pages/key.css"
};
static const unsigned char key_html[] = {
#embed "pages/key.html"
};
static const unsigned char key_js[] = {
#embed "pages/key.js"
};
static const unsigned char leds_js[] = {
#embed "pages/leds.js"
};
static const unsigned char lights_js[] = {
#embed "pages/lights.js"
};
static const unsigned char meters_js[] = {
#embed "pages/meters.js"
};
static const unsigned char nodes_js[] = {
#embed "pages/nodes.js"
};
static const unsigned char notices_js[] = {
#embed "pages/notices.js"
};
static const unsigned char panels_js[] = {
#embed "pages/panels.js"
};
static const unsigned char patchbay_js[] = {
#embed "pages/patchbay.js"
};
static const unsigned char records_js[] = {
#embed "pages/records.js"
};
static const unsigned char renderer_vectors_wasm_gz[] = {
#embed "pages/renderer-vectors.wasm.gz"
};
static const unsigned char renderer_wasm_gz[] = {
#embed "pages/renderer.wasm.gz"
};
static const unsigned char retry_js[] = {
#embed "pages/retry.js"
};
static const unsigned char saving_js[] = {
#embed "pages/saving.js"
};
static const unsigned char settings_js[] = {
#embed "pages/settings.js"
};
static const unsigned char showbar_js[] = {
#embed "pages/showbar.js"
};
static const unsigned char sound_views_js[] = {
#embed "pages/sound-views.js"
};
static const unsigned char sound_js[] = {
#embed "pages/sound.js"
};
static const unsigned char spectrum_js[] = {
#embed "pages/spectrum.js"
};
static const unsigned char stage_check_js[] = {
#embed "pages/stage-check.js"
};
static const unsigned char stage_clock_js[] = {
#embed "pages/stage-clock.js"
};
static const unsigned char stage_connection_js[] = {
#embed "pages/stage-connection.js"
};
static const unsigned char stage_cpu_js[] = {
#embed "pages/stage-cpu.js"
};
static const unsigned char stage_draw_js[] = {
#embed "pages/stage-draw.js"
};
static const unsigned char stage_gl_js[] = {
#embed "pages/stage-gl.js"
};
static const unsigned char stage_link_js[] = {
#embed "pages/stage-link.js"
};
static const unsigned char stage_module_js[] = {
#embed "pages/stage-module.js"
};
static const unsigned char stage_options_js[] = {
#embed "pages/stage-options.js"
};
static const unsigned char stage_pictures_js[] = {
#embed "pages/stage-pictures.js"
};
static const unsigned char stage_pieces_js[] = {
#embed "pages/stage-pieces.js"
};
static const unsigned char stage_shaders_js[] = {
#embed "pages/stage-shaders.js"
};
static const unsigned char stage_simulation_js[] = {
#embed "pages/stage-simulation.js"
};
static const unsigned char stage_stream_js[] = {
#embed "pages/stage-stream.js"
};
static const unsigned char stage_view_js[] = {
#embed "pages/stage-view.js"
};
static const unsigned char stage_worker_js[] = {
#embed "pages/stage-worker.js"
};
static const unsigned char stage_css[] = {
#embed "pages/stage.css"
};
static const unsigned char stage_html[] = {
#embed "pages/stage.html"
};
static const unsigned char stage_js[] = {
#embed "pages/stage.js"
};
static const unsigned char stage_wasm_gz[] = {
#embed "pages/stage.wasm.gz"
};
static const unsigned char tabs_js[] = {
#embed "pages/tabs.js"
};
static const unsigned char terms_js[] = {
#embed "pages/terms.js"
};
static const unsigned char transport_js[] = {
#embed "pages/transport.js"
};
static const unsigned char values_js[] = {
#embed "pages/values.js"
};

#define VG_PAGE(name, type, bytes) {name, type, bytes, sizeof bytes}
#define VG_HTML "text/html; charset=utf-8"
#define VG_SCRIPT "text/javascript; charset=utf-8"
#define VG_STYLE "text/css; charset=utf-8"
#define VG_GZIP "application/gzip"

const struct vg_page vg_pages[] = {
    VG_PAGE("awake.js", VG_SCRIPT, awake_js),
    VG_PAGE("build.js", VG_SCRIPT, build_js),
    VG_PAGE("connection.js", VG_SCRIPT, connection_js),
    VG_PAGE("control.js", VG_SCRIPT, control_js),
    VG_PAGE("cues.js", VG_SCRIPT, cues_js),
    VG_PAGE("desk-parts.css", VG_STYLE, desk_parts_css),
    VG_PAGE("desk-small.css", VG_STYLE, desk_small_css),
    VG_PAGE("desk.css", VG_STYLE, desk_css),
    VG_PAGE("desk.html", VG_HTML, desk_html),
    VG_PAGE("desk.js", VG_SCRIPT, desk_js),
    VG_PAGE("elements.js", VG_SCRIPT, elements_js),
    VG_PAGE("faders.js", VG_SCRIPT, faders_js),
    VG_PAGE("fields.js", VG_SCRIPT, fields_js),
    VG_PAGE("head.js", VG_SCRIPT, head_js),
    VG_PAGE("history.js", VG_SCRIPT, history_js),
    VG_PAGE("icon.svg", "image/svg+xml", icon_svg),
    VG_PAGE("key.css", VG_STYLE, key_css),
    VG_PAGE("key.html", VG_HTML, key_html),
    VG_PAGE("key.js", VG_SCRIPT, key_js),
    VG_PAGE("leds.js", VG_SCRIPT, leds_js),
    VG_PAGE("lights.js", VG_SCRIPT, lights_js),
    VG_PAGE("meters.js", VG_SCRIPT, meters_js),
    VG_PAGE("nodes.js", VG_SCRIPT, nodes_js),
    VG_PAGE("notices.js", VG_SCRIPT, notices_js),
    VG_PAGE("panels.js", VG_SCRIPT, panels_js),
    VG_PAGE("patchbay.js", VG_SCRIPT, patchbay_js),
    VG_PAGE("records.js", VG_SCRIPT, records_js),
    VG_PAGE("renderer-vectors.wasm.gz", VG_GZIP, renderer_vectors_wasm_gz),
    VG_PAGE("renderer.wasm.gz", VG_GZIP, renderer_wasm_gz),
    VG_PAGE("retry.js", VG_SCRIPT, retry_js),
    VG_PAGE("saving.js", VG_SCRIPT, saving_js),
    VG_PAGE("settings.js", VG_SCRIPT, settings_js),
    VG_PAGE("showbar.js", VG_SCRIPT, showbar_js),
    VG_PAGE("sound-views.js", VG_SCRIPT, sound_views_js),
    VG_PAGE("sound.js", VG_SCRIPT, sound_js),
    VG_PAGE("spectrum.js", VG_SCRIPT, spectrum_js),
    VG_PAGE("stage-check.js", VG_SCRIPT, stage_check_js),
    VG_PAGE("stage-clock.js", VG_SCRIPT, stage_clock_js),
    VG_PAGE("stage-connection.js", VG_SCRIPT, stage_connection_js),
    VG_PAGE("stage-cpu.js", VG_SCRIPT, stage_cpu_js),
    VG_PAGE("stage-draw.js", VG_SCRIPT, stage_draw_js),
    VG_PAGE("stage-gl.js", VG_SCRIPT, stage_gl_js),
    VG_PAGE("stage-link.js", VG_SCRIPT, stage_link_js),
    VG_PAGE("stage-module.js", VG_SCRIPT, stage_module_js),
    VG_PAGE("stage-options.js", VG_SCRIPT, stage_options_js),
    VG_PAGE("stage-pictures.js", VG_SCRIPT, stage_pictures_js),
    VG_PAGE("stage-pieces.js", VG_SCRIPT, stage_pieces_js),
    VG_PAGE("stage-shaders.js", VG_SCRIPT, stage_shaders_js),
    VG_PAGE("stage-simulation.js", VG_SCRIPT, stage_simulation_js),
    VG_PAGE("stage-stream.js", VG_SCRIPT, stage_stream_js),
    VG_PAGE("stage-view.js", VG_SCRIPT, stage_view_js),
    VG_PAGE("stage-worker.js", VG_SCRIPT, stage_worker_js),
    VG_PAGE("stage.css", VG_STYLE, stage_css),
    VG_PAGE("stage.html", VG_HTML, stage_html),
    VG_PAGE("stage.js", VG_SCRIPT, stage_js),
    VG_PAGE("stage.wasm.gz", VG_GZIP, stage_wasm_gz),
    VG_PAGE("tabs.js", VG_SCRIPT, tabs_js),
    VG_PAGE("terms.js", VG_SCRIPT, terms_js),
    VG_PAGE("transport.js", VG_SCRIPT, transport_js),
    VG_PAGE("values.js", VG_SCRIPT, values_js),
};
const size_t vg_page_count = sizeof vg_pages / sizeof vg_pages[0];
const uint64_t vg_pages_hash = VG_PAGES_BUILD;
