import { type RawBuilder, sql } from 'kysely';

// SQL on a row of `properties`, shared by the queries of all features.

export interface PictureRow {
  id: string;
  width: number;
  height: number;
  widths: number[];
  placeholder: string;
  alt: string;
}

/** Whether anyone may see the property: what `pageVisibility` says to a visitor. `alias`: its table in the query. */
export const isPubliclyVisible = (alias = 'properties'): RawBuilder<boolean> => {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  return sql<boolean>`(${column('deleted_at')} is null
    and (${column('is_public')} or ${column('status')} in ('escrow', 'Sold')))`;
};

/** The fields of a picture, for `json_build_object`; `s` is its stored image, `i` its place in the listing. */
export const pictureFields = sql.raw(
  `'id', s.id, 'width', s.width, 'height', s.height, 'widths', s.widths, 'placeholder', s.placeholder, 'alt', i.alt`,
);

/** The property's main picture, or null. `alias`: its table in the query. */
export const mainPicture = (alias = 'properties'): RawBuilder<PictureRow | null> => sql<PictureRow | null>`(
  select json_build_object(${pictureFields})
  from property_images i join stored_images s on s.id = i.image_id
  where i.property_id = ${sql.ref(`${alias}.id`)} order by i.is_main desc, i.position, i.id limit 1)`;
