import { sql } from 'kysely';

/**
 * What happened to listings by day of UTC: rows of `property_id`, `day`, `views`, `watches`, `inquiries`, of which a day may have
 * several. The sums by day and the events that are not in them yet, so that it is exact at any moment.
 */
export const dailyCounts = sql`(
  select d.property_id, d.day, d.views, d.watches, d.inquiries from listing_days d
  union all
  select e.property_id, (e.at at time zone 'UTC')::date, case when e.metric = 'views' then e.value else 0 end,
      case when e.metric = 'watches' then e.value else 0 end, case when e.metric = 'inquiries' then e.value else 0 end
    from report_events e where e.property_id is not null and e.metric in ('views', 'watches', 'inquiries'))`;
