import { lazy, type RefObject, Suspense, useEffect, useRef, useSyncExternalStore } from 'react';
import { data, Link, redirect, useNavigate, useNavigation } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { buyerFees } from '#features/fees/reads.ts';
import { baseBounds, pricesIncludeText } from '#features/fees/rules.ts';
import { cardsOf, propertyTypes } from '#features/listings/reads.ts';
import { recordSearch } from '#features/search/commands/record-search.ts';
import { FilterBar } from '#features/search/components/filter-bar.tsx';
import { queryOfParams } from '#features/search/components/form-query.ts';
import { ViewSwitch } from '#features/search/components/view-switch.tsx';
import { formatArea, readArea } from '#features/search/drawn-area.ts';
import type { Reading } from '#features/search/intents.ts';
import { formatCursor, type SearchCriteria } from '#features/search/model.ts';
import { readSearchText, relaxedListings, searchListings } from '#features/search/reads.ts';
import { findType, inOrder, parseCriteria, readingOf, understoodInEffect } from '#features/search/rules.ts';
import { PropertyGrid } from '#features/watches/components/property-grid.tsx';
import { marksFor } from '#features/watches/reads.ts';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { Button } from '#ui/button.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { ArrowLeft } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { loadedLater } from '#ui/loaded-later.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { Route } from './+types/properties';
import { useMorePages } from './use-more-pages.ts';

const ResultCount = loadedLater(
  async () => (await import('#features/search/components/result-count.tsx')).ResultCount,
);
const SaveSearch = loadedLater(
  async () => (await import('#features/saved-searches/components/save-search.tsx')).SaveSearch,
);
const Pagination = loadedLater(async () => (await import('#ui/pagination.tsx')).Pagination);
const ListingMap = lazy(() => import('#features/search/components/listing-map.tsx'));
/** How many properties of a search that asks for less are shown below an empty list. */
const RELAXED_SHOWN = 8;
const EmptyList = lazy(() => import('./empty-list.tsx'));

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { params, swapped } = inOrder(new URL(request.url).searchParams);
  // What an empty search box submits.
  if (params.size === 1 && params.get('q')?.trim() === '') throw redirect(paths.properties());
  const [types, fees] = await Promise.all([propertyTypes(ctx), buyerFees(ctx)]);
  const bounds = baseBounds(fees);
  const drawn = params.get('area');
  const reading = drawn ? readArea(drawn) : null;
  const headOf = (typed: Reading, criteria: SearchCriteria) => ({
    query: {
      ...queryOfParams(params),
      // Not the type that the text names: a link without that part of the text would keep it.
      type: findType(params.get('type') ?? '', types)?.slug,
      area: reading?.ok ? formatArea(reading.area) : undefined,
    },
    areaProblem: reading && !reading.ok ? `${reading.problem} The list is not limited to it.` : null,
    swapped,
    understood: understoodInEffect(typed, criteria),
    hasMeaning: typed.understood.length > 0,
    withoutType: typed.withoutType,
    sort: criteria.sort,
    ownSort: typed.asked.sort ?? 'newest',
    saving: params.get('save') === '1',
    type: types.find((type) => type.id === criteria.typeId) ?? null,
    feesText: pricesIncludeText(fees),
    tilesUrl: ctx.config.mapTilesUrl ?? null,
  });
  try {
    const typed = await readSearchText(ctx, params, types);
    const criteria = parseCriteria(params, types, bounds, typed);
    const found = await searchListings(ctx, criteria);
    const userAgent = request.headers.get('user-agent');
    recordSearch(ctx, { criteria, results: found.total, userAgent });
    const { total, capped, correctedTo, namesakes, named, page, pageCount } = found;
    const relaxed = total === 0 ? await relaxedListings(ctx, params, types, bounds) : null;
    const rows = relaxed ? relaxed.found.rows.slice(0, RELAXED_SHOWN) : found.rows;
    const cards = await cardsOf(ctx, rows);
    const marks = await marksFor(
      ctx,
      cards.map((card) => card.id),
    );
    // A map area that somebody forgot is what most often empties a list.
    const anywhere =
      total === 0 &&
      (criteria.bbox || criteria.area) &&
      (await searchListings(ctx, { ...criteria, bbox: null, area: null }));
    return {
      ...headOf(typed, criteria),
      cards,
      marks,
      total,
      capped,
      correctedTo,
      namesakes,
      named,
      relaxed: relaxed && {
        said: relaxed.said,
        href: `${paths.properties()}?${relaxed.params}`,
        total: relaxed.found.total,
        capped: relaxed.found.capped,
      },
      page,
      pageCount,
      next: found.next && formatCursor(found.next),
      elsewhere: anywhere ? { total: anywhere.total, capped: anywhere.capped } : null,
      failed: false as const,
    };
  } catch (error) {
    // Only the list has failed: the page, its filters and navigation stay.
    ctx.log.error({ err: error }, 'the property list failed');
    const head = headOf(readingOf(params, types), parseCriteria(params, types, bounds));
    return data({ ...head, failed: true as const }, { status: 503 });
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData?.type ? `${loaderData.type.name} · Available Properties` : 'Available Properties',
    description: 'Houses, lots and buildings for sale. Prices include all applicable fees.',
    canonical: paths.properties({
      type: loaderData?.type?.slug,
      page: loaderData && !loaderData.failed && loaderData.page > 1 ? loaderData.page : undefined,
    }),
  });

export default function Properties({ loaderData }: Route.ComponentProps) {
  const types = useSite()?.types ?? [];
  const { query, type, withoutType, sort, ownSort, feesText, tilesUrl } = loaderData;
  const mapOpen = query.map === '1';
  const results = useRef<HTMLDivElement>(null);
  useScrollToMap(results, mapOpen);
  const { state, location } = useNavigation();
  const searching = state === 'loading' && location.pathname === paths.properties();
  return (
    <>
      <div className="page-head">
        <BackButton />
        <h1>Available Properties</h1>
      </div>
      <FilterBar
        types={types}
        type={type?.slug ?? null}
        withoutType={withoutType}
        sort={sort}
        ownSort={ownSort}
        query={query}
      />
      <div className={mapOpen ? 'found-views with-map' : 'found-views'} ref={results}>
        <ViewSwitch query={query} />
        <div className={searching ? 'listing-results searching' : 'listing-results'} aria-busy={searching}>
          {loaderData.failed ? <Failed /> : <Results {...loaderData} />}
        </div>
        {mapOpen && <MapPlace query={query} tilesUrl={tilesUrl} />}
      </div>
      {feesText && <p className="feeline">{feesText}</p>}
    </>
  );
}

/** The map, or its place until it is there. */
function MapPlace(props: { query: PropertiesQuery; tilesUrl: string | null }) {
  const place = <div className="listing-map sk" />;
  if (!useHydrated()) return place;
  return (
    <Suspense fallback={place}>
      <ListingMap {...props} />
    </Suspense>
  );
}

type Loaded = Extract<Route.ComponentProps['loaderData'], { failed: false }>;

/** New properties first, then those the viewer has seen before; an empty section is omitted with its heading. */
function Results({ query, ...found }: Loaded) {
  const { more, load, busy, failed } = useMorePages(pageOf);
  const shown = [found, ...more];
  // A listing that was added meanwhile moves another one to the next page.
  const cards = [...new Map(shown.flatMap((page) => page.cards).map((card) => [card.id, card])).values()];
  const watched = shown.flatMap((page) => page.marks.watched);
  const viewed = shown.flatMap((page) => page.marks.viewed);
  const lastPage = found.page + more.length;
  const next = shown.at(-1)?.next;
  const pageHref = (page: number) => paths.properties({ ...query, page: page > 1 ? page : undefined });
  const signedIn = Boolean(useSite()?.viewer);
  const saving = { type: found.type?.name ?? null, signedIn, openDialog: found.saving };
  const none = found.total === 0;
  const head = (
    <div className="found-bar">
      <ResultCount {...found} query={query} />
      {!none && <SaveSearch query={query} {...saving} />}
    </div>
  );
  const unseen = cards.filter((card) => !viewed.includes(card.id));
  const seen = cards.filter((card) => viewed.includes(card.id));
  if (none) {
    return (
      <>
        {head}
        <Suspense>
          <EmptyList
            query={query}
            elsewhere={found.elsewhere}
            relaxed={found.relaxed}
            saving={saving}
            almost={{ cards, watched, signedIn }}
          />
        </Suspense>
      </>
    );
  }
  return (
    <>
      {head}
      {unseen.length > 0 && (
        <section aria-labelledby="new">
          <div className="sect">
            <h2 id="new">New Properties</h2>
          </div>
          <PropertyGrid cards={unseen} watched={watched} signedIn={signedIn} eager={4} priority />
        </section>
      )}
      {unseen.length > 0 && seen.length > 0 && <hr className="divider" />}
      {seen.length > 0 && (
        <section aria-labelledby="viewed">
          <div className="sect">
            <h2 id="viewed">Previously Viewed</h2>
          </div>
          <PropertyGrid
            cards={seen}
            watched={watched}
            signedIn={signedIn}
            eager={unseen.length > 0 ? 0 : 4}
          />
        </section>
      )}
      {next && (
        <p className="load-more needs-js">
          <Button
            variant="outline"
            busy={busy}
            onClick={() => load(paths.properties({ ...query, page: lastPage + 1, after: next }))}
          >
            Load more
          </Button>
          {failed && <span role="alert">More properties could not be loaded. Please try again.</span>}
        </p>
      )}
      <p className="vh" role="status">
        {more.length > 0 && `${cards.length} properties are shown`}
      </p>
      <Pagination page={lastPage} pages={found.pageCount} href={pageHref} />
    </>
  );
}

/** What a further page of the list adds to it. */
const pageOf = (data: Route.ComponentProps['loaderData']): Pick<Loaded, 'cards' | 'marks' | 'next'> | null =>
  data.failed ? null : { cards: data.cards, marks: data.marks, next: data.next };

function Failed() {
  return (
    <ErrorState
      title="The properties could not be loaded."
      detail="Please try again in a moment."
      retry={useRetry()}
    />
  );
}

/** Back in history; before hydration, and on the first page of a visit, to the home page. */
function BackButton() {
  const navigate = useNavigate();
  return (
    <Link
      className="back"
      to={paths.home()}
      onClick={(event) => {
        if (!window.history.state?.idx) return;
        event.preventDefault();
        void navigate(-1);
      }}
    >
      <Icon of={ArrowLeft} size={16} />
      Back
    </Link>
  );
}

const subscribeToNothing = () => () => {};

/** False on the server and until hydration: the map's library needs a browser. */
const useHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );

/** Where the map takes the place of the list, opening it brings it into view. */
function useScrollToMap(results: RefObject<HTMLElement | null>, mapOpen: boolean): void {
  useEffect(() => {
    if (mapOpen && !matchMedia('(width >= 960px)').matches) results.current?.scrollIntoView();
  }, [results, mapOpen]);
}
