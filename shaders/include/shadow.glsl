// Soft shadows (PCSS): blocker search, penumbra from the distance of the blocker, percentage-closer filtering. The maps
// of all lights are in one atlas; MAPS is how many each light has, one or six, MAP_COUNT how many there are.

const int COUNT[SHADOWS] = int[SHADOWS](MAPS);
const int FIRST[SHADOWS] = int[SHADOWS](FIRST_MAPS);

uniform sampler2DShadow u_shadow_compare;
uniform sampler2D u_shadow_min_depth;    // minimum depth of each block of texels
uniform sampler2D u_shadow_dilated;      // minimum depth within MAX_PENUMBRA of it
uniform mat4 u_shadow_matrix[MAP_COUNT]; // world to map coordinates and depth, all in [0, 1]
uniform vec4 u_shadow_frustum[MAP_COUNT]; // near, far (m), width at unit distance, 1 if perspective
uniform vec4 u_shadow_tile[MAP_COUNT];   // position and size of the map in the atlas
uniform float u_light_size;              // penumbra width per distance between blocker and receiver, if that is small
uniform float u_widest;                  // limit of that width, m

// largest penumbra, in widths of the map: at most three blocks
const float MAX_PENUMBRA = 0.02;
// rotation by the golden angle
const mat2 GOLDEN_ROTATION = mat2(-0.7373688, 0.6754903, -0.6754903, -0.7373688);

// map coordinates -> atlas coordinates, clamped to the map
vec2 atlas(vec4 tile, vec2 at) {
    return tile.xy + tile.zw * clamp(at, 0.001, 0.999);
}

// the cube face of a direction from the light
int cube_face(vec3 direction) {
    vec3 size = abs(direction);
    int axis = size.x > max(size.y, size.z) ? 0 : size.y > size.z ? 1 : 2;
    float along = axis == 0 ? direction.x : axis == 1 ? direction.y : direction.z;
    return 2 * axis + (along < 0.0 ? 1 : 0);
}

// distance from the light, m, from a depth value
float light_distance(vec4 frustum, float depth) {
    float near = frustum.x, far = frustum.y;
    return frustum.w > 0.5 ? near * far / (far - depth * (far - near)) : near + depth * (far - near);
}

// the inverse
float map_depth(vec4 frustum, float distance) {
    float near = frustum.x, far = frustum.y;
    return frustum.w > 0.5 ? far * (distance - near) / (distance * (far - near)) : (distance - near) / (far - near);
}

// width of the penumbra, m, at a distance from the blocker
float penumbra_width(float distance) {
    float width = u_light_size * max(distance, 0.0);
    return width * u_widest / (u_widest + width);
}

// visibility of light i: 1 is lit, 0 is in full shadow
float shadow(const int i, vec3 position, vec3 to_light, float facing) {
    vec4 frustum = u_shadow_frustum[FIRST[i]];
    int map = COUNT[i] > 1 ? FIRST[i] + cube_face(-to_light) : FIRST[i];
    vec4 tile = u_shadow_tile[map], at = u_shadow_matrix[map] * vec4(position, 1.0);
    vec2 size = tile.w * vec2(textureSize(u_shadow_compare, 0).y, textureSize(u_shadow_min_depth, 0).y);
    float texel = 1.0 / size.x, block = 1.0 / size.y;
    float width = frustum.z * (frustum.w > 0.5 ? at.w : 1.0);
    at.xyz /= at.w;
    float receiver = light_distance(frustum, at.z);
    // slope-scaled bias against self-shadowing: depth that the surface gains per width of the map, and a constant part
    float slope = min(sqrt(max(1.0 - facing * facing, 0.0)) / max(facing, 0.05), 4.0) * width;
    float bias = texel * (width + 2.0 * slope);

    // blocker search. Most points are not near a shadow: on software renderers a loop of zero iterations costs one, a
    // skipped branch all that is in it
    float reach = min(penumbra_width(receiver - frustum.x) / width, MAX_PENUMBRA);
    float around = light_distance(frustum, texture(u_shadow_dilated, atlas(tile, at.xy)).r);
    // receivers behind all casters are beyond the map's depth, but still in shadow
    bool inside = at.w > 0.0 && at.z > 0.0 && all(lessThan(abs(at.xy - 0.5), vec2(0.5)));
    int taps = inside && facing > 0.0 && around < receiver - bias ? BLOCKER_TAPS : 0;
    float angle = 6.2831853 * pixel_noise(gl_FragCoord.xy);
    vec2 start = vec2(cos(angle), sin(angle)), point = start;
    float blocker = 0.0, found = 0.0;
    for (int k = 0; k < taps; k++) {
        float offset = reach * sqrt((float(k) + 0.5) / float(BLOCKER_TAPS));
        float distance = light_distance(frustum, texture(u_shadow_min_depth, atlas(tile, at.xy + offset * point)).r);
        float hit = step(distance, receiver - slope * (offset + block) - bias);
        blocker += hit * distance;
        found += hit;
        point = GOLDEN_ROTATION * point;
    }
    // a thin blocker between the taps still counts
    float missed = float(taps > 0 && found < 0.5 && around < receiver - slope * (reach + 2.0 * block) - bias);
    blocker += missed * around;
    found += missed;
    float penumbra = penumbra_width(receiver - blocker / max(found, 1.0)) / width;
    penumbra = clamp(penumbra, 1.2 * texel, max(reach, 1.2 * texel));

    // next to its caster a shadow is narrower than a block: filter even if the search found nothing
    penumbra = found > 0.5 ? penumbra : 1.2 * texel;

    float light = 0.0;
    taps = taps > 0 ? FILTER_TAPS : 0;
    for (int k = 0; k < taps; k++) {
        float offset = penumbra * sqrt((float(k) + 0.5) / float(FILTER_TAPS));
        vec2 tap = offset * start;
#ifdef TRANSPARENT_CASTERS
        // transparent casters are dithered over 2 x 2 texels: taps cycle through the four texels of a square, whole
        // squares apart, so that the average does not depend on where they start
        tap = texel * (2.0 * round(0.5 * tap / texel) + vec2(k & 1, k >> 1 & 1) - 0.5);
        offset = length(tap);
#endif
        // maps of floats do not clamp what they compare, and nothing is behind their far plane
        float depth = min(map_depth(frustum, receiver - bias - slope * offset), 1.0);
        light += texture(u_shadow_compare, vec3(atlas(tile, at.xy + tap), depth));
        start = GOLDEN_ROTATION * start;
    }
    light = taps > 0 ? light / float(taps) : 1.0;
    // fade out at the border of the map, except between cube faces
    vec2 border = COUNT[i] > 1 ? vec2(1.0) : smoothstep(vec2(0.5), vec2(0.44), abs(at.xy - 0.5));
    return mix(1.0, light, border.x * border.y);
}
