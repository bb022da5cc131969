// The sky in a direction: the model's skybox, or a dark gradient. HAZE_TINT blends the model's haze colour into the horizon
// of a skybox.

uniform samplerCube u_skybox;
uniform vec4 u_haze;                       // linear colour; amount

const vec3 SKY_ZENITH = vec3(0.0100, 0.0125, 0.0180);
const vec3 SKY_HORIZON = vec3(0.0480, 0.0560, 0.0700);
const vec3 SKY_NADIR = vec3(0.0060, 0.0068, 0.0085);

// `blur` is a mip level bias: reflected stars would be noise
vec3 sky(vec3 direction, float blur) {
    float h = direction.z;
#ifdef SKYBOX
    // cube maps are left-handed with y up
    vec3 colour = to_linear_quick(texture(u_skybox, vec3(direction.x, h, -direction.y), blur).rgb);
#ifdef HAZE_TINT
    float clear = clamp(abs(h) / max(0.2 * u_haze.w, 1e-4), 0.0, 1.0);
    colour = mix(u_haze.rgb, colour, clear * (2.0 - clear));
#endif
    return colour;
#else
    // approximates exp(-4 |h|)
    float low = 1.0 / (1.0 + 4.0 * abs(h) * (1.0 + 2.0 * abs(h)));
    return mix(h > 0.0 ? SKY_ZENITH : SKY_NADIR, SKY_HORIZON, low);
#endif
}

// hemispheric ambient light on a surface with this normal
vec3 sky_ambient(vec3 normal) {
    float up = 0.5 + 0.5 * normal.z;
    return mix(vec3(0.55, 0.52, 0.50), vec3(0.95, 1.0, 1.08), up);
}
