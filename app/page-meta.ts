import type { MetaDescriptor } from 'react-router';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';

interface PageMeta {
  title: string;
  description?: string;
  /** path of the canonical URL */
  canonical?: string;
  image?: { path: string; width: number; height: number; alt: string };
  /** schema.org data of the page */
  structured?: object;
  hidden?: boolean;
}

interface RootMatch {
  id: string;
  loaderData?: unknown;
}

/** Title, description, canonical URL and preview image of a page, with the brand and origin from the root loader. */
export function pageMeta(matches: readonly (RootMatch | undefined)[], page: PageMeta): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as
    | { brand: string; publicUrl: string }
    | undefined;
  const brand = root?.brand ?? DEFAULT_BRAND;
  const origin = root?.publicUrl ?? '';
  const title = page.title === brand ? brand : `${page.title} · ${brand}`;
  const tags: MetaDescriptor[] = [{ title }];
  if (page.hidden) tags.push({ name: 'robots', content: 'noindex' });
  if (page.description) {
    tags.push(
      { name: 'description', content: page.description },
      { property: 'og:description', content: page.description },
    );
  }
  if (page.canonical) {
    tags.push(
      { tagName: 'link', rel: 'canonical', href: `${origin}${page.canonical}` },
      { property: 'og:url', content: `${origin}${page.canonical}` },
      { property: 'og:title', content: page.title },
      { property: 'og:site_name', content: brand },
      { property: 'og:type', content: 'website' },
    );
  }
  if (page.image) {
    tags.push(
      { property: 'og:image', content: `${origin}${page.image.path}` },
      { property: 'og:image:width', content: String(page.image.width) },
      { property: 'og:image:height', content: String(page.image.height) },
      { property: 'og:image:alt', content: page.image.alt },
      { name: 'twitter:card', content: 'summary_large_image' },
    );
  }
  if (page.structured) tags.push({ 'script:ld+json': page.structured as Record<string, string> });
  return tags;
}
