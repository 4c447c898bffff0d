import { useEffect, useRef } from 'react';
import { data, Link, useLocation } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { Hero } from '#features/homepage/components/hero.tsx';
import { defaultHomepage } from '#features/homepage/model.ts';
import { homepageContent } from '#features/homepage/reads.ts';
import { PropertyTypeIcon } from '#features/listings/components/property-type-icon.tsx';
import { featuredListings } from '#features/listings/reads.ts';
import { PropertyGrid } from '#features/watches/components/property-grid.tsx';
import { marksFor } from '#features/watches/reads.ts';
import { paths } from '#routing/paths.ts';
import { ArrowRight } from '#ui/arrow-glyphs.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { ArrowLeft } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import type { Route } from './+types/home';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [hero, featured] = await Promise.all([
    readOr(ctx, defaultHomepage, () => homepageContent(ctx)),
    readOrNull(ctx, () => featuredListings(ctx)),
  ]);
  const ids = featured?.map((card) => card.id) ?? [];
  const { watched } = await readOr(ctx, { watched: [] }, () => marksFor(ctx, ids));
  return data({ hero, featured, watched }, featured ? undefined : { status: 503 });
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData?.hero.title ?? 'Home',
    description: loaderData?.hero.subtitle,
    canonical: paths.home(),
  });

export default function Home({ loaderData }: Route.ComponentProps) {
  const { hero, featured, watched } = loaderData;
  const site = useSite();
  const types = site?.types ?? [];
  return (
    <>
      <Hero content={hero} featured={featured !== null && featured.length > 0}>
        <nav className="types" aria-label="Property types">
          {types.map((type) => (
            <Link key={type.slug} to={paths.properties({ type: type.slug })}>
              <PropertyTypeIcon slug={type.slug} />
              {type.name}
              <Icon of={ArrowRight} />
            </Link>
          ))}
        </nav>
      </Hero>
      {!featured && <FailedPanel title="The featured properties could not be loaded." />}
      {featured && featured.length > 0 && (
        <section aria-labelledby="featured">
          <div className="section-head">
            <FeaturedHeading />
            <Link className="link link-arrow" to={paths.properties()}>
              <Icon of={ArrowLeft} size={16} />
              Back to Properties
            </Link>
          </div>
          <PropertyGrid
            cards={featured}
            watched={watched}
            signedIn={Boolean(site?.viewer)}
            layout="featured"
          />
        </section>
      )}
    </>
  );
}

/** `/#featured` from anywhere scrolls here and moves the focus to the heading. */
function FeaturedHeading() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new visit of the same anchor focuses again
  useEffect(() => {
    if (hash === '#featured') heading.current?.focus();
  }, [hash, key]);
  return (
    <h2 id="featured" ref={heading} tabIndex={-1}>
      Featured Properties
    </h2>
  );
}
