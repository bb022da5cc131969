// Colour spaces and tone mapping. Colours in models are sRGB; lighting is linear.

vec3 to_linear(vec3 srgb) {
    return mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), step(0.04045, srgb));
}

// the same to within 0.3 %, cheap enough for every texel
vec3 to_linear_quick(vec3 srgb) {
    return srgb * (srgb * (srgb * 0.305306 + 0.682171) + 0.012523);
}

// to within 1/50 of an 8-bit step; square roots are faster than pow
vec3 to_srgb(vec3 linear) {
    vec3 x = clamp(linear, 0.0, 1.0), r2 = sqrt(x), r4 = sqrt(r2), r8 = sqrt(r4);
    vec3 curve = 0.644559 * r2 + 0.709948 * r4 - 0.336052 * r8 - 0.018486 * x;
    return max(12.92 * x * step(x, vec3(0.0031308)), curve);
}

// linear up to the knee, then a shoulder that never clips
vec3 tone_map(vec3 x) {
    const float knee = 0.7;
    vec3 over = max(x - knee, 0.0);
    return min(x, knee) + (1.0 - knee) * over / (over + (1.0 - knee));
}

// interleaved gradient noise in [0, 1) from pixel coordinates
float pixel_noise(vec2 pixel) {
    return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}
