// Postprocessing: SMOOTH is anti-aliasing in image space (FXAA) where there is no MSAA, OUTLINE draws a line around the
// mask.
#version 330 core

uniform sampler2D u_image;
uniform sampler2D u_mask;
uniform vec3 u_outline;            // colour of the outline

out vec4 out_colour;

float luma(vec3 colour) {
    return dot(colour, vec3(0.299, 0.587, 0.114));
}

#ifdef SMOOTH
// the mean along an edge through this pixel, if luma changes enough across it
vec3 smoothed(ivec2 here, vec2 uv, vec2 pixel, vec3 colour) {
    ivec2 last = textureSize(u_image, 0) - 1;
    ivec2 low = max(here - 1, ivec2(0)), high = min(here + 1, last);
    float nw = luma(texelFetch(u_image, ivec2(low.x, high.y), 0).rgb);
    float ne = luma(texelFetch(u_image, high, 0).rgb);
    float sw = luma(texelFetch(u_image, low, 0).rgb);
    float se = luma(texelFetch(u_image, ivec2(high.x, low.y), 0).rgb);
    float lowest = min(min(nw, ne), min(sw, se)), highest = max(max(nw, ne), max(sw, se));
    // a loop of zero iterations costs nothing; on software renderers a skipped branch does
    int iterations = highest - lowest > max(0.02, 0.06 * highest) ? 1 : 0;
    for (int k = 0; k < iterations; k++) {
        vec2 edge = vec2(sw + se - nw - ne, nw + sw - ne - se);
        float scale = min(abs(edge.x), abs(edge.y)) + 0.03 * (nw + ne + sw + se) + 0.004;
        edge = clamp(edge / scale, -6.0, 6.0) * pixel;
        vec3 near = texture(u_image, uv - edge / 6.0).rgb + texture(u_image, uv + edge / 6.0).rgb;
        vec3 far = texture(u_image, uv - 0.5 * edge).rgb + texture(u_image, uv + 0.5 * edge).rgb;
        vec3 wide = 0.25 * (near + far);
        float value = luma(wide);
        // the far ends may lie beyond the edge
        colour = value < lowest || value > highest ? 0.5 * near : wide;
    }
    return colour;
}
#endif

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(u_image, 0)), uv = gl_FragCoord.xy * pixel;
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 colour = texelFetch(u_image, here, 0).rgb;
#ifdef SMOOTH
    colour = smoothed(here, uv, pixel, colour);
#endif
#ifdef OUTLINE
    // mask coverage of a small square around this pixel: the outline is where it is partial
    float covered = 0.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            covered += texture(u_mask, uv + 1.3 * vec2(x, y) * pixel).r;
        }
    }
    covered /= 9.0;
    colour = mix(colour, u_outline, clamp(3.2 * min(covered, 1.0 - covered), 0.0, 1.0));
#endif
    out_colour = vec4(colour, 1.0);
}
