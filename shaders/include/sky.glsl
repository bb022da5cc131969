// The sky in a direction: the model's skybox if it has one, otherwise a calm dark gradient.

uniform samplerCube u_skybox;

const vec3 SKY_ZENITH = vec3(0.0100, 0.0125, 0.0180);
const vec3 SKY_HORIZON = vec3(0.0480, 0.0560, 0.0700);
const vec3 SKY_NADIR = vec3(0.0060, 0.0068, 0.0085);

vec3 sky(vec3 direction) {
#ifdef SKYBOX
    // cube maps are left-handed with y up
    return to_linear(texture(u_skybox, vec3(direction.x, direction.z, -direction.y)).rgb);
#else
    float h = direction.z;
    return mix(h > 0.0 ? SKY_ZENITH : SKY_NADIR, SKY_HORIZON, exp(-4.0 * abs(h)));
#endif
}

// light from all around, for a surface that faces `normal`
vec3 sky_ambient(vec3 normal) {
    float up = 0.5 + 0.5 * normal.z;
    return mix(vec3(0.55, 0.52, 0.50), vec3(0.95, 1.0, 1.08), up);
}
