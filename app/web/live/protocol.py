"""What the host of a live viewer and its pages say to each other, over a WebSocket at the relative address `ws`.

Everything is relative to the address of the page. With the cookie, GET serves `./` (the page), `client.js`,
`style.css`, `asset/HASH` (see below; a browser may keep it for ever) and `download/ID/NAME` (a file that was made for
the user).

**Page to host**: text messages, JSON, at most `MOST_TEXT` characters each, and binary ones for uploads.

    {"t":"hello","w":1400,"h":900,"dpr":1.0,"touch":false,"protocol":1}   first; width and height in CSS pixels
    {"t":"size","w":..,"h":..,"dpr":..}                      the window of the browser has another size
    {"t":"in","n":7,"e":[...]}                               input since the last message; n grows by one each
    {"t":"ack","n":12}                                       the newest frame that was drawn
    {"t":"clip","s":"text"}                                  the clipboard; sent before the key that pastes it
    {"t":"name","s":"Ada"}                                   how others see this visitor
    {"t":"drive"}                                            ask for control; the driver is told
    {"t":"give","to":3} {"t":"deny","to":3}                  hand control over, or not; to 0: nobody has it then
    {"t":"up","files":[{"name":"a/b.obj","size":9},..]}      a drop: then the bytes of all files in order, in binary
                                                             messages of at most `MOST_CHUNK` bytes; when the last has
                                                             come, the host opens what can be opened among them
    {"t":"close"}                                            close the viewer for good, as by its close button

Input events; positions are CSS pixels from the upper left of the interface (see `ui.size`), modifiers are the sum of
1 Ctrl (Command on a Mac), 2 Shift, 4 Alt:

    ["m",x,y]                   the pointer moved; moves of one browser frame may be merged
    ["b",button,down,x,y,mods]  0 left, 1 right, 2 middle; down 1 or 0
    ["w",dx,dy,x,y]             the wheel, in notches, positive up and to the left
    ["p",x,y,dx,dy,zoom]        two fingers over the picture moved, in heights of the picture, and zoomed by so much
    ["k",code,key,down,mods]    KeyboardEvent.code and .key; without the repeats of a held key
    ["t",text]                  typed text, repeats too; right after the "k" of the press, where it comes from one
    ["f",focused]               the page got or lost the keyboard

Only the driver's input counts; others may send none.

**Host to page, text**: JSON.

    {"t":"welcome","you":3,"owner":true,"protocol":1,"title":"humanoid","limits":{"upload":..,"chunk":..}}
    {"t":"people","driver":3,"list":[{"id":3,"name":"Ada","owner":true},..],"asking":[4]}
                                                             when it changes; driver 0: nobody
    {"t":"title","s":".."} {"t":"cursor","c":"default|text|move|ns-resize|ew-resize|pointer"} {"t":"copy","s":".."}
    {"t":"typing","on":true,"x":..,"y":..,"h":..}            a field has the keyboard: where an input method belongs
    {"t":"file","name":"a.mp4","url":"download/7/a.mp4","size":123}   offer it, or begin to download it
    {"t":"screen"}                                           the user asked to switch full screen
    {"t":"note","s":".."}                                    to be shown for some seconds
    {"t":"bye","why":".."}                                   the viewer is closed for good: do not connect again

**Host to page, binary**: frames, little-endian. One message has all that differs from the frame before it *on this
connection*; messages arrive in order, so that is what the page has. A new connection begins with everything.

    u32 magic "KTF1"   u32 flags (1: the rest, after these 16 bytes, is zlib)   u32 serial   u32 length of the header
    header: JSON in ASCII, padded with spaces to a multiple of 4; then the blobs, each at a multiple of 4 from the first

The header, of which each key but `n` is there only if it has changed; "at" is a byte within the blobs:

    "n": 7                    the newest input message that this frame has seen
    "model": {"shapes": {"mesh 3": HASH, ..}, "textures": {"0": HASH, ..}, "layers": {"2": {"normal": 1, ..}, ..},
              "serial": 5}    meshes, textures and texture layers of materials. Entries are added with the same serial;
                              another serial replaces them all. null: no model is shown. Each HASH is fetched from
                              `asset/HASH`: a container of app/web/payload.py, gzip (Content-Encoding), whose header is
                              {"shape": {..}} or {"texture": {..}} as in a replay (app/web/look.py)
    "rect": [x,y,w,h]         of the picture in the window, CSS pixels from the upper left
    "over": [[x,y,w,h],..]    ImGui windows that lie over the picture and take the mouse
    "camera": {"eye":[3],"axes":[9],"fovy","near","far","orthographic","sensor":[4]|null,"focus",
               "orbit":{"lookat":[3],"distance","azimuth","elevation","fovy","extent","scroll","anchor"} | null}
                              axes: row-major, columns right, up, backward; orbit: of the free camera, if it is shown
                              and no body is tracked, to predict with: zoom of a notch with its sign, and whether it
                              goes to the pointer
    "look": {"lights":[{"type","position","direction","ambient","diffuse","specular","attenuation","cutoff","exponent",
             "shadow"},..],"headlight":{"ambient","diffuse","specular"},"skybox":id,"haze":{"colour","amount"}|null,
             "fog":{"colour","start","end"}|null,"extent","shadow","shadowSize","wireframe","additive"}
    "batches": [[list,shape,texture,material,mirror,shadow,width,count],..]
                              list: "opaque","transparent","planes","overlay","outlined","ghost"; mirror: [4] or null;
                              width: of the smallest radius of rods. All before `count` is the key of a batch; keys
                              differ. A batch keeps its first rows from the frame before, if its key was there
    "rows": {"count": N, "full": at, "shape": at, "pose": at, "lod": at}
                              changes, N rows of all batches in order; each of the four is optional:
                              full:  N bits (bit i of byte i/8 the i-th row, from the lowest), padded to 4 bytes, then
                                     128 bytes for each set bit: the row, 32 f32
                              shape: the same, then for each position 3 f32, then for each shape 4 f32, then for each
                                     rotation 4 i16: quaternion w x y z times 32767
                              pose:  the same, then for each position 3 f32, then for each rotation 4 i16
                              lod:   N bytes, the level of detail of every row
                              Rows of "transparent" are in no order: sort them, far to near. Casters of shadows are rows
                              of geoms and sites in opaque and transparent batches with `shadow`, except planes
    "deformed": [[shape, count, at],..]
                              vertices of skins and flexes: positions count x 3 f32, then normals count x 4 i8 (times
                              127, the last unused); texture coordinates stay those of the asset
    "ui": {"size":[w,h],"back":[r,g,b],"order":[id,..],"new":[[id,commands,vertices,indices,at],..]}
                              draw lists of ImGui in the order in which they are drawn; size in CSS pixels, the colour
                              below everything from 0 to 1. An id stays with its window; lists that are not in `order`
                              are dropped. A new list has 7 x u32: kept bytes in front and behind, and new bytes between
                              them, of vertices (3) and of indices (3), 1 if indices are u32 instead of u16; then its
                              commands, 8 x 4 bytes each: clip rectangle (4 f32: left, top, right, bottom), texture u32,
                              count of indices u32, first index u32, first vertex u32; then the new bytes of the
                              vertices (20 bytes each: x y u v f32, colour RGBA8), then of the indices, each part padded
                              to 4 bytes. Kept bytes are those of the list before
    "tex": [[id,"new",w,h,kind,at,bytes],[id,"part",x,y,w,h,kind,at,bytes],[id,"gone"],..]
                              textures of ImGui, before `ui` is drawn; kind "a": one byte of alpha for each pixel,
                              white; "rgba": four; "image": a PNG or JPEG file, which may be decoded later

At most `MOST_UNSEEN` frames are on the way to a page that has not drawn them; the next one is made when it has, and
shows what is newest then. A frame is made when something has changed.
"""

from __future__ import annotations

PROTOCOL = 1
# of one message from a page: characters of a text, bytes of a part of an upload
MOST_TEXT, MOST_CHUNK = 64_000, 256_000
# frames that were sent and not yet drawn
MOST_UNSEEN = 2
