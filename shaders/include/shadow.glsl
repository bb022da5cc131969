// Soft shadows: penumbra from the distance of the blocker, then filtered comparison. The maps of all lights stand side
// by side in one texture.

uniform sampler2DShadow u_shadow_compare;
uniform sampler2D u_shadow_nearest;      // the smallest depth in each block of texels
uniform sampler2D u_shadow_around;       // and within MAX_REACH of it
uniform mat4 u_shadow_matrix[SHADOWS];   // world to map coordinates and depth, all in [0, 1]
uniform vec4 u_shadow_lens[SHADOWS];     // near, far (m), width of the map at unit distance, 1 if perspective
uniform float u_shadow_spread;           // penumbra width per distance between blocker and receiver

// largest penumbra, in widths of the map: three blocks
const float MAX_REACH = 0.02;
// turns a point of the disk by the golden angle
const mat2 TURN = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);

// map coordinates -> texture coordinates, kept inside the light's own map
vec2 tile(int i, vec2 at) {
    vec2 inside = clamp(at, 0.001, 0.999);
    return vec2((inside.x + float(i)) / float(SHADOWS), inside.y);
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
float shadow(const int i, vec3 position, float facing) {
    vec4 lens = u_shadow_lens[i];
    vec2 size = vec2(textureSize(u_shadow_compare, 0).y, textureSize(u_shadow_nearest, 0).y);
    float texel = 1.0 / size.x, block = 1.0 / size.y;
    vec4 at = u_shadow_matrix[i] * vec4(position, 1.0);
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
    float around = light_distance(lens, texture(u_shadow_around, tile(i, at.xy)).r);
    // what is behind all casters is beyond the map's depth, but still in their shadow
    bool inside = at.w > 0.0 && at.z > 0.0 && all(lessThan(abs(at.xy - 0.5), vec2(0.5)));
    int taps = inside && facing > 0.0 && around < receiver - lift ? BLOCKER_TAPS : 0;
    float turn = 6.2831853 * pixel_noise(gl_FragCoord.xy);
    vec2 start = vec2(cos(turn), sin(turn)), point = start;
    float blocker = 0.0, found = 0.0;
    for (int k = 0; k < taps; k++) {
        float away = reach * sqrt((float(k) + 0.5) / float(BLOCKER_TAPS));
        float distance = light_distance(lens, texture(u_shadow_nearest, tile(i, at.xy + away * point)).r);
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

    float light = 0.0;
    taps = found > 0.5 ? FILTER_TAPS : 0;
    for (int k = 0; k < taps; k++) {
        float away = penumbra * sqrt((float(k) + 0.5) / float(FILTER_TAPS));
        float depth = map_depth(lens, receiver - lift - slope * away);
        light += texture(u_shadow_compare, vec3(tile(i, at.xy + away * start), depth));
        start = TURN * start;
    }
    light = taps > 0 ? light / float(taps) : 1.0;
    // fade out at the border of the map
    vec2 border = smoothstep(vec2(0.5), vec2(0.44), abs(at.xy - 0.5));
    return mix(1.0, light, border.x * border.y);
}
