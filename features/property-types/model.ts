import type { PropertyStatus } from '#features/listings/model.ts';
import type { BoundedCount } from '#platform/counts.ts';

/** A property type as administrators see it; times are ISO, UTC. */
export interface PropertyTypeRow {
  id: number;
  name: string;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

/** How many properties have a type, deleted ones left out. */
export interface TypeUse {
  total: BoundedCount;
  byStatus: (BoundedCount & { status: PropertyStatus })[];
}

/** What an administrator writes of a type. */
export interface PropertyTypeInput {
  name: string;
  isActive: boolean;
}

export type PropertyTypeField = 'name' | 'active';

export type SavePropertyTypeResult =
  | { ok: true; id: number }
  | { ok: false; reason: 'invalid'; errors: Partial<Record<PropertyTypeField, string>> }
  /** somebody else has changed it since the page was loaded: as it is now */
  | { ok: false; reason: 'newer'; current: PropertyTypeInput };
