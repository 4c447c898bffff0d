import type { Page } from '@playwright/test';
import { open, type Scenario } from './scenario.ts';

/** Requests that carry a photograph. */
export const UPLOADS = '**/agent/uploads/**';

/** Creates a listing and opens its form; returns its id. */
export async function openPhotoForm(page: Page, scenario: Scenario, address: string): Promise<string> {
  const id = await scenario.createListing({ address, title: address });
  await open(page, `/agent/properties/${id}/edit`);
  return id;
}

/** The same with the administrators' form. */
export async function openOfficeForm(page: Page, scenario: Scenario, address: string): Promise<string> {
  const id = await scenario.createListing({ address, title: address });
  await open(page, `/admin/properties/${id}/edit`);
  return id;
}

/** The stored photographs of a listing in their order. */
export const photosIn = (scenario: Scenario, id: string) =>
  scenario.db
    .q()
    .selectFrom('property_images')
    .select(['id', 'is_main', 'caption', 'alt'])
    .where('property_id', '=', id)
    .orderBy('is_main', 'desc')
    .orderBy('position')
    .execute();
