import { randomUUID } from 'node:crypto';
import type { PhotoOwner } from '#features/photos/model.ts';
import type { ActorName } from './access-table.ts';
import type { Scenario } from './scenario.ts';

/** The drafts photos can belong to, as named in the tables. */
const draftKinds = ['A’s draft', 'suspended seller’s draft', 'no draft'] as const;

export interface PhotoFixture {
  owner: PhotoOwner;
  /** ids, the main photo first */
  photos: string[];
}

let imageCount = 0;

/** Creates a listing or draft of the row's kind with two photos, without image files. */
export async function createPhotos(scenario: Scenario, kind: string): Promise<PhotoFixture> {
  const owner = draftKinds.some((known) => known === kind)
    ? { draftId: await newDraft(scenario, kind) }
    : { propertyId: await scenario.listing(kind) };
  const photos: string[] = [];
  if (kind === 'no draft') return { owner, photos: [randomUUID(), randomUUID()] };
  for (const position of [0, 1]) photos.push(await insertPhoto(scenario, owner, position));
  return { owner, photos };
}

async function newDraft(scenario: Scenario, kind: string): Promise<string> {
  if (kind === 'no draft') return randomUUID();
  const name: ActorName = kind.startsWith('A’s') ? 'sellerA' : 'suspended';
  const q = scenario.db.q();
  const agent_id = scenario.person(name).agentId ?? '';
  await q.deleteFrom('property_drafts').where('agent_id', '=', agent_id).execute();
  const { id } = await q
    .insertInto('property_drafts')
    .values({ agent_id, form: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function insertPhoto(scenario: Scenario, owner: PhotoOwner, position: number): Promise<string> {
  imageCount += 1;
  const image = await scenario.db
    .q()
    .insertInto('stored_images')
    .values({
      width: 40,
      height: 30,
      widths: [40],
      placeholder: 'data:,',
      sha256: `picture ${imageCount}`,
      byte_size: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await scenario.db
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

/** The caption of the main photo. */
export const CAPTION = 'The unmistakable porch';

/** The current photo ids of a listing or draft, the main one first. */
export async function currentPhotos({ db }: Scenario, owner: PhotoOwner): Promise<string[]> {
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

/** A one-pixel image that every decoder can read. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
