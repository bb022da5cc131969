// Textures of a material besides that of its colour. Numbers in them multiply what the material itself says; where it
// says nothing, they count as they are. ORM has occlusion, roughness and metallic in one.

uniform sampler2D u_occlusion;
uniform sampler2D u_roughness;
uniform sampler2D u_metallic;
uniform sampler2D u_orm;
uniform sampler2D u_normal;
uniform sampler2D u_emissive;

// what a material counts as that does not say how metallic it is, and whether a texture says how rough it is
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

// occlusion (1 on open ground, less in cracks), roughness and metallic of the textures
vec3 orm() {
    vec3 found = vec3(1.0);
#ifdef ORM
    found = texture(u_orm, v_uv).rgb;
#endif
#ifdef OCCLUSION
    found.r *= texture(u_occlusion, v_uv).r;
#endif
#ifdef ROUGHNESS
    found.g *= texture(u_roughness, v_uv).r;
#endif
#ifdef METALLIC
    found.b *= texture(u_metallic, v_uv).r;
#endif
    return found;
}

// strength and exponent of highlights, and how metallic the surface is
vec2 finish(vec3 orm, out float metallic) {
    metallic = orm.b * (v_finish.x < 0.0 ? METAL : v_finish.x);
#if defined(ORM) || defined(ROUGHNESS) || defined(METALLIC)
    if (ROUGH || v_finish.y >= 0.0) {
        return rough_highlight(orm.g * (v_finish.y < 0.0 ? 1.0 : v_finish.y), metallic);
    }
#endif
    return v_gloss.xy;
}

// light of the surface's own
vec3 glow(vec3 base) {
    vec3 light = v_gloss.z * base;
#ifdef EMISSIVE
    light += to_linear_quick(texture(u_emissive, v_uv).rgb);
#endif
    return light;
}

#ifdef NORMAL
// the normal of the texture, x to its right and y up, in a frame from how position and texture change across the screen
vec3 bumped(vec3 normal) {
    vec3 across = dFdx(v_position), up = dFdy(v_position);
    vec2 u = vec2(dFdx(v_uv.x), dFdy(v_uv.x)), v = vec2(dFdx(v_uv.y), dFdy(v_uv.y));
    vec3 one = cross(up, normal), other = cross(normal, across);
    // rows of a picture go down
    vec3 right = u.x * one + u.y * other, top = -v.x * one - v.y * other;
    // in a mirror left and right are swapped
    float hand = sign(dot(cross(across, up), normal));
    float scale = hand * inversesqrt(max(max(dot(right, right), dot(top, top)), 1e-30));
    vec3 bump = 2.0 * texture(u_normal, v_uv).rgb - 1.0;
    return normalize(scale * (bump.x * right + bump.y * top) + bump.z * normal);
}
#endif
