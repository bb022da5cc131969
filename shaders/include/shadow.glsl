// Soft shadow of the first light: penumbra from the distance of the blocker, then filtered comparison.

uniform sampler2DShadow u_shadow_compare;
uniform sampler2D u_shadow_nearest;  // the smallest depth in each block of texels
uniform sampler2D u_shadow_around;   // and within MAX_REACH of it
uniform mat4 u_shadow_matrix;        // world to texture coordinates and depth, all in [0, 1]
uniform vec4 u_shadow_lens;          // near, far (m), width of the map at unit distance, 1 if perspective
uniform float u_shadow_texel;        // width of a texel in metres, at unit distance if perspective
uniform float u_shadow_spread;       // penumbra width per distance between blocker and receiver

// largest penumbra, in widths of the map: three blocks of 128
const float MAX_REACH = 0.02;
const int BLOCKER_TAPS = 6;
const int FILTER_TAPS = 14;
const float GOLDEN_ANGLE = 2.39996323;

// point k of n, evenly spread over the unit disk
vec2 disk(int k, int n, float turn) {
    float angle = float(k) * GOLDEN_ANGLE + turn;
    return sqrt((float(k) + 0.5) / float(n)) * vec2(cos(angle), sin(angle));
}

// distance from the light, in metres, from a value of the depth map
float light_distance(float depth) {
    float near = u_shadow_lens.x, far = u_shadow_lens.y;
    return u_shadow_lens.w > 0.5 ? near * far / (far - depth * (far - near)) : near + depth * (far - near);
}

// and back
float map_depth(float distance) {
    float near = u_shadow_lens.x, far = u_shadow_lens.y;
    return u_shadow_lens.w > 0.5 ? far * (distance - near) / (distance * (far - near)) : (distance - near) / (far - near);
}

// 1 where the light arrives, 0 in full shadow
float shadow(vec3 position, vec3 normal, float facing) {
    // lift the point off the surface, more where the light grazes it
    vec4 at = u_shadow_matrix * vec4(position, 1.0);
    float lift = u_shadow_texel * (u_shadow_lens.w > 0.5 ? at.w : 1.0) * (1.0 + 2.0 * (1.0 - facing));
    at = u_shadow_matrix * vec4(position + lift * normal, 1.0);
    at.xyz /= at.w;
    bool inside = at.w > 0.0 && all(greaterThan(at.xyz, vec3(0.0))) && all(lessThan(at.xyz, vec3(1.0)));
    float receiver = light_distance(at.z);
    float width = u_shadow_lens.z * (u_shadow_lens.w > 0.5 ? receiver : 1.0);
    float turn = 6.2831853 * pixel_noise(gl_FragCoord.xy);

    // depth that the surface itself gains, per width on the map, as it slopes away from the light
    float slope = min(sqrt(1.0 - facing * facing) / max(facing, 0.05), 4.0) * width;

    // how far above the surface is what blocks the light?
    float reach = min(u_shadow_spread * (receiver - u_shadow_lens.x) / width, MAX_REACH);
    float block = 1.0 / float(textureSize(u_shadow_nearest, 0).x);
    float blocker = 0.0, found = 0.0;
    // loops of no length cost nothing, where skipped branches do on software renderers
    float around = light_distance(texture(u_shadow_around, at.xy).r);
    int taps = inside && facing > 0.0 && around < receiver - lift ? BLOCKER_TAPS : 0;
    for (int k = 0; k < taps; k++) {
        vec2 offset = reach * disk(k, BLOCKER_TAPS, turn);
        float distance = light_distance(texture(u_shadow_nearest, at.xy + offset).r);
        float hit = step(distance, receiver - slope * (length(offset) + block) - lift);
        blocker += hit * distance;
        found += hit;
    }
    // a thin blocker between the taps is still one
    float missed = float(taps > 0 && found < 0.5 && around < receiver - slope * (reach + 2.0 * block) - lift);
    blocker += missed * around;
    found += missed;
    float penumbra = u_shadow_spread * max(receiver - blocker / max(found, 1.0), 0.0) / width;
    float texel = 1.0 / float(textureSize(u_shadow_compare, 0).x);
    penumbra = clamp(penumbra, 1.2 * texel, reach);

    float light = 0.0;
    taps = found > 0.5 ? FILTER_TAPS : 0;
    for (int k = 0; k < taps; k++) {
        vec2 offset = penumbra * disk(k, FILTER_TAPS, turn);
        float depth = map_depth(receiver - slope * length(offset));
        light += texture(u_shadow_compare, vec3(at.xy + offset, depth));
    }
    light = taps > 0 ? light / float(taps) : 1.0;
    // fade out at the border of the map
    vec2 border = smoothstep(vec2(0.5), vec2(0.44), abs(at.xy - 0.5));
    return mix(1.0, light, border.x * border.y);
}
