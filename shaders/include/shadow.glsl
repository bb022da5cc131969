// Soft shadows: penumbra from the distance of the blocker, then filtered comparison. The maps of all lights stand side
// by side in one texture; MAPS is how many each light has, one or six, MAP_COUNT how many there are.

const int COUNT[SHADOWS] = int[SHADOWS](MAPS);
const int FIRST[SHADOWS] = int[SHADOWS](FIRST_MAPS);

uniform sampler2DShadow u_shadow_compare;
uniform sampler2D u_shadow_nearest;      // the smallest depth in each block of texels
uniform sampler2D u_shadow_around;       // and within MAX_REACH of it
uniform mat4 u_shadow_matrix[MAP_COUNT]; // world to map coordinates and depth, all in [0, 1]
uniform vec4 u_shadow_lens[MAP_COUNT];   // near, far (m), width of the map at unit distance, 1 if perspective
uniform vec4 u_shadow_tile[MAP_COUNT];   // where the map is in the texture: corner and size
uniform float u_shadow_spread;           // penumbra width per distance between blocker and receiver

// largest penumbra, in widths of the map: at most three blocks
const float MAX_REACH = 0.02;
// turns a point of the disk by the golden angle
const mat2 TURN = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);

// map coordinates -> texture coordinates, kept inside the map
vec2 place(vec4 tile, vec2 at) {
    return tile.xy + tile.zw * clamp(at, 0.001, 0.999);
}

// which of six maps has what is in a direction from the light
int side(vec3 way) {
    vec3 size = abs(way);
    int axis = size.x > max(size.y, size.z) ? 0 : size.y > size.z ? 1 : 2;
    float along = axis == 0 ? way.x : axis == 1 ? way.y : way.z;
    return 2 * axis + (along < 0.0 ? 1 : 0);
}

// distance from the light, in metres, from a value of the depth map
float light_distance(vec4 lens, float depth) {
    float near = lens.x, far = lens.y;
    return lens.w > 0.5 ? near * far / (far - depth * (far - near)) : near + depth * (far - near);
}

// and back
float map_depth(vec4 lens, float distance) {
    float near = lens.x, far = lens.y;
    return lens.w > 0.5 ? far * (distance - near) / (distance * (far - near)) : (distance - near) / (far - near);
}

// 1 where light i arrives, 0 in full shadow
float shadow(const int i, vec3 position, vec3 to_light, float facing) {
    vec4 lens = u_shadow_lens[FIRST[i]];
    int map = COUNT[i] > 1 ? FIRST[i] + side(-to_light) : FIRST[i];
    vec4 tile = u_shadow_tile[map], at = u_shadow_matrix[map] * vec4(position, 1.0);
    vec2 size = tile.w * vec2(textureSize(u_shadow_compare, 0).y, textureSize(u_shadow_nearest, 0).y);
    float texel = 1.0 / size.x, block = 1.0 / size.y;
    float width = lens.z * (lens.w > 0.5 ? at.w : 1.0);
    at.xyz /= at.w;
    float receiver = light_distance(lens, at.z);
    // depth that the surface itself gains, per width on the map, as it slopes away from the light; and what it needs to
    // be clear of its own shadow
    float slope = min(sqrt(max(1.0 - facing * facing, 0.0)) / max(facing, 0.05), 4.0) * width;
    float lift = texel * (width + 2.0 * slope);

    // how far above the surface is what blocks the light? Most points are nowhere near a shadow: a loop of no length
    // costs one turn on software renderers, a skipped branch all that is in it
    float reach = min(u_shadow_spread * (receiver - lens.x) / width, MAX_REACH);
    float around = light_distance(lens, texture(u_shadow_around, place(tile, at.xy)).r);
    // what is behind all casters is beyond the map's depth, but still in their shadow
    bool inside = at.w > 0.0 && at.z > 0.0 && all(lessThan(abs(at.xy - 0.5), vec2(0.5)));
    int taps = inside && facing > 0.0 && around < receiver - lift ? BLOCKER_TAPS : 0;
    float turn = 6.2831853 * pixel_noise(gl_FragCoord.xy);
    vec2 start = vec2(cos(turn), sin(turn)), point = start;
    float blocker = 0.0, found = 0.0;
    for (int k = 0; k < taps; k++) {
        float away = reach * sqrt((float(k) + 0.5) / float(BLOCKER_TAPS));
        float distance = light_distance(lens, texture(u_shadow_nearest, place(tile, at.xy + away * point)).r);
        float hit = step(distance, receiver - slope * (away + block) - lift);
        blocker += hit * distance;
        found += hit;
        point = TURN * point;
    }
    // a thin blocker between the taps is still one
    float missed = float(taps > 0 && found < 0.5 && around < receiver - slope * (reach + 2.0 * block) - lift);
    blocker += missed * around;
    found += missed;
    float penumbra = u_shadow_spread * max(receiver - blocker / max(found, 1.0), 0.0) / width;
    penumbra = clamp(penumbra, 1.2 * texel, max(reach, 1.2 * texel));

    // beside what casts it, a shadow is narrower than blocks can tell: nothing found is no proof that there is none
    penumbra = found > 0.5 ? penumbra : 1.2 * texel;

    float light = 0.0;
    taps = taps > 0 ? FILTER_TAPS : 0;
    for (int k = 0; k < taps; k++) {
        float away = penumbra * sqrt((float(k) + 0.5) / float(FILTER_TAPS));
        vec2 tap = away * start;
#ifdef TRANSPARENT_CASTERS
        // what can be seen through leaves out texels of each square of 2 x 2: taps that go round in a square, whole
        // squares from each other, see as many of them wherever they begin
        tap = texel * (2.0 * round(0.5 * tap / texel) + vec2(k & 1, k >> 1 & 1) - 0.5);
        away = length(tap);
#endif
        float depth = map_depth(lens, receiver - lift - slope * away);
        light += texture(u_shadow_compare, vec3(place(tile, at.xy + tap), depth));
        start = TURN * start;
    }
    light = taps > 0 ? light / float(taps) : 1.0;
    // fade out at the border of the map, unless another one goes on there
    vec2 border = COUNT[i] > 1 ? vec2(1.0) : smoothstep(vec2(0.5), vec2(0.44), abs(at.xy - 0.5));
    return mix(1.0, light, border.x * border.y);
}
