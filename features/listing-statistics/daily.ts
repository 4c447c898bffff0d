import { sql } from 'kysely';

/**
 * What happened to listings by day of UTC: rows of `property_id`, `day`, `views`, `watches`, `inquiries`, of which a day may have
 * several.
 */
export const dailyCounts = sql`(
  select e.property_id, (e.viewed_at at time zone 'UTC')::date as day, 1 as views, 0 as watches, 0 as inquiries
    from property_view_events e
  union all
  select w.property_id, (w.created_at at time zone 'UTC')::date, 0, 1, 0 from property_watches w
  union all
  select i.property_id, (i.created_at at time zone 'UTC')::date, 0, 0, 1 from property_inquiries i)`;
