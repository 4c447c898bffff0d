import { type RawBuilder, sql } from 'kysely';

/**
 * What a listing contains, as a short text that changes with it: facts, words, place, amenities and photos. A decision
 * names the version that was looked at, so that nothing is approved that nobody has seen. `alias`: its table in the query.
 */
export const versionOf = (alias: string): RawBuilder<string> => {
  const of = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<string>`md5(jsonb_build_array(${of('title')}, ${of('price_cents')}, ${of('type_id')}, ${of('address')},
    ${of('city')}, ${of('state')}, ${of('zip')}, ${of('bedrooms')}, ${of('bathrooms')}, ${of('half_baths')},
    ${of('square_feet')}, ${of('lot_square_feet')}, ${of('year_built')}, ${of('neighborhood')}, ${of('description')}, ${of('latitude')},
    ${of('longitude')}, ${of('submitted_at')},
    (select jsonb_agg(jsonb_build_array(i.image_id, i.is_main, i.caption, i.alt) order by i.position, i.id)
      from property_images i where i.property_id = ${of('id')}),
    (select jsonb_agg(m.amenity_id order by m.amenity_id) from property_amenities m where m.property_id = ${of('id')})
    )::text)`;
};
