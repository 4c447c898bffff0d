import { randomUUID } from 'node:crypto';
import type { PhotoOwner } from '#features/photos/model.ts';
import type { Stage } from './stage.ts';
import type { ActorName } from './table.ts';

/** What photographs hang on, by its name in the tables. */
export const draftKinds = ['A’s draft', 'suspended seller’s draft', 'no draft'] as const;

export interface PhotographedPlace {
  owner: PhotoOwner;
  /** the main one first */
  photos: string[];
}

let pictures = 0;

/** A new listing or draft of the row's kind with two photographs, of which no files exist. */
export async function photographed(stage: Stage, kind: string): Promise<PhotographedPlace> {
  const owner = draftKinds.some((known) => known === kind)
    ? { draftId: await newDraft(stage, kind) }
    : { propertyId: await stage.listing(kind) };
  const photos: string[] = [];
  if (kind === 'no draft') return { owner, photos: [randomUUID(), randomUUID()] };
  for (const position of [0, 1]) photos.push(await hang(stage, owner, position));
  return { owner, photos };
}

async function newDraft(stage: Stage, kind: string): Promise<string> {
  if (kind === 'no draft') return randomUUID();
  const name: ActorName = kind.startsWith('A’s') ? 'sellerA' : 'suspended';
  const q = stage.db.q();
  const agent_id = stage.person(name).agentId ?? '';
  await q.deleteFrom('property_drafts').where('agent_id', '=', agent_id).execute();
  const { id } = await q
    .insertInto('property_drafts')
    .values({ agent_id, form: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function hang(stage: Stage, owner: PhotoOwner, position: number): Promise<string> {
  pictures += 1;
  const image = await stage.db
    .q()
    .insertInto('stored_images')
    .values({
      width: 40,
      height: 30,
      widths: [40],
      placeholder: 'data:,',
      sha256: `picture ${pictures}`,
      byte_size: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await stage.db
    .q()
    .insertInto('property_images')
    .values({
      property_id: 'propertyId' in owner ? owner.propertyId : null,
      draft_id: 'draftId' in owner ? owner.draftId : null,
      image_id: image.id,
      position,
      is_main: position === 0,
      caption: position === 0 ? CAPTION : '',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Stands under the main one. */
export const CAPTION = 'The unmistakable porch';

/** The ids of a place's photographs as they are now, the main one first. */
export async function photosNow({ db }: Stage, owner: PhotoOwner): Promise<string[]> {
  const rows = await db
    .q()
    .selectFrom('property_images')
    .select('id')
    .where(
      'propertyId' in owner ? 'property_id' : 'draft_id',
      '=',
      'propertyId' in owner ? owner.propertyId : owner.draftId,
    )
    .orderBy('is_main', 'desc')
    .orderBy('position')
    .execute();
  return rows.map(({ id }) => id);
}

/** A picture of one pixel that every decoder reads. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
