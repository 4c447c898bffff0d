import type { Role } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import type { PropertyNotification } from '../model.ts';

/** Where a notification leads: to the property, or to the tours of whoever reads it. */
export function notificationHref(
  { type, propertyId }: Pick<PropertyNotification, 'type' | 'propertyId'>,
  role: Role,
): string {
  if (type !== 'tour') return paths.property(propertyId);
  return role === 'agent' ? tourPaths.ofSeller() : tourPaths.ofBuyer();
}
