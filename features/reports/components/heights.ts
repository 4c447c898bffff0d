/** Heights of charts in pixels. */
export const heights = {
  trend: 380,
  share: 230,
  bands: 380,
  funnel: 380,
  registrations: 420,
  table: 380,
} as const;
