/**
 * URLs of the back office that no other area links to. Apart from `paths.ts`, which every public page loads; only code of the
 * administrators' pages imports this.
 */
export const adminPaths = {
  /** `edit` opens the form */
  homepage: (query: { edit?: 1 } = {}) => `/admin/homepage${query.edit ? '?edit=1' : ''}`,
  /** upload endpoint for the picture of the home page */
  homepageImage: () => '/admin/uploads/homepage',
  settings: () => '/admin/settings',
} as const;
