// Further texture layers of a material. Their values multiply the material's own, or replace them where it has none. ORM
// holds occlusion, roughness and metallic in one texture.

uniform sampler2D u_occlusion;
uniform sampler2D u_roughness;
uniform sampler2D u_metallic;
uniform sampler2D u_orm;
uniform sampler2D u_normal;
uniform sampler2D u_emissive;

// metallic of a material that has no such value, and whether a texture gives the roughness
#if defined(ORM) || defined(METALLIC)
const float METAL = 1.0;
#else
const float METAL = 0.0;
#endif
#if defined(ORM) || defined(ROUGHNESS)
const bool ROUGH = true;
#else
const bool ROUGH = false;
#endif

// ambient occlusion (1 is unoccluded), roughness and metallic of the textures
vec3 orm() {
    vec3 value = vec3(1.0);
#ifdef ORM
    value = texture(u_orm, v_uv).rgb;
#endif
#ifdef OCCLUSION
    value.r *= texture(u_occlusion, v_uv).r;
#endif
#ifdef ROUGHNESS
    value.g *= texture(u_roughness, v_uv).r;
#endif
#ifdef METALLIC
    value.b *= texture(u_metallic, v_uv).r;
#endif
    return value;
}

// specular strength and exponent, and metallic
vec2 highlight_of(vec3 orm, out float metallic) {
    metallic = orm.b * (v_metallic_roughness.x < 0.0 ? METAL : v_metallic_roughness.x);
#if defined(ORM) || defined(ROUGHNESS) || defined(METALLIC)
    if (ROUGH || v_metallic_roughness.y >= 0.0) {
        return rough_highlight(orm.g * (v_metallic_roughness.y < 0.0 ? 1.0 : v_metallic_roughness.y), metallic);
    }
#endif
    return v_gloss.xy;
}

// emitted light
vec3 emission(vec3 base) {
    vec3 light = v_gloss.z * base;
#ifdef EMISSIVE
    light += to_linear_quick(texture(u_emissive, v_uv).rgb);
#endif
    return light;
}

#ifdef NORMAL
// normal mapping, in a tangent frame from screen-space derivatives of position and texture coordinates
vec3 normal_mapped(vec3 normal) {
    vec3 across = dFdx(v_position), up = dFdy(v_position);
    vec2 u = vec2(dFdx(v_uv.x), dFdy(v_uv.x)), v = vec2(dFdx(v_uv.y), dFdy(v_uv.y));
    vec3 gradient_x = cross(up, normal), gradient_y = cross(normal, across);
    // texture rows go down
    vec3 right = u.x * gradient_x + u.y * gradient_y, top = -v.x * gradient_x - v.y * gradient_y;
    // in a mirror the handedness is flipped
    float handedness = sign(dot(cross(across, up), normal));
    float scale = handedness * inversesqrt(max(max(dot(right, right), dot(top, top)), 1e-30));
    vec3 bump = 2.0 * texture(u_normal, v_uv).rgb - 1.0;
    return normalize(scale * (bump.x * right + bump.y * top) + bump.z * normal);
}
#endif
