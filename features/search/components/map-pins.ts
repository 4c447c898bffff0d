import L from 'leaflet';
import { formatCount } from '#platform/format-count.ts';
import { wholeDollars } from '#platform/money.ts';
import type { MapMarkerJson } from './map-marker-json.ts';
import { groupPins, type PinGroup } from './pin-groups.ts';
import { roveWithArrows } from './pin-keys.ts';

export type MapListing = NonNullable<MapMarkerJson['listing']>;

/** What a press on a pin does. */
interface PinActions {
  openListing: (listing: MapListing) => void;
  /** several listings that no zoom level shows apart */
  openPlace: (listings: readonly MapListing[]) => void;
  /** the mouse or the keyboard is on the pin of a listing, or on none */
  look: (at: LookedAt | null) => void;
}

/** The pin of a listing that the mouse or the keyboard is on. */
export interface LookedAt {
  listing: MapListing;
  element: HTMLElement;
  /** by a finger, which presses first to look and then to open */
  touched: boolean;
}

/** The pins on the map. */
export interface Pins {
  /** the pin of a listing, also when it has others with it; undefined for one in a group of the server */
  of: (id: string) => L.Marker | undefined;
  /** gives the focus to the pin of a listing */
  focus: (id: string) => void;
}

/** A marker at its place on the map, in pixels of a zoom level. */
type PlacedMarker = MapMarkerJson & { x: number; y: number };

/** Draws the markers as pins of which none covers another: those that would are one pin with their number. */
export function addPins(
  map: L.Map,
  layer: L.LayerGroup,
  markers: readonly MapMarkerJson[],
  actions: PinActions,
): Pins {
  const groups = groupsAt(map, markers, map.getZoom()).sort((a, b) => a.y - b.y || a.x - b.x);
  const pinOf = new Map<string, L.Marker>();
  const pins = groups.map((group) => {
    const pin = createPin(map, group, actions);
    for (const { listing } of group.members) if (listing) pinOf.set(listing.id, pin);
    layer.addLayer(pin);
    return pin;
  });
  const elements = pins.flatMap((pin) => pin.getElement() ?? []);
  roveWithArrows(elements);
  return {
    of: (id) => pinOf.get(id),
    focus: (id) => pinOf.get(id)?.getElement()?.focus({ preventScroll: true }),
  };
}

function groupsAt(map: L.Map, markers: readonly MapMarkerJson[], zoom: number): PinGroup<PlacedMarker>[] {
  const placed = markers.map((marker) => {
    const { x, y } = map.project([marker.latitude, marker.longitude], zoom);
    return { ...marker, x, y };
  });
  return groupPins(placed, pinSize);
}

/** At least as large as the pin that the stylesheet draws. */
function pinSize(members: readonly MapMarkerJson[]): { width: number; height: number } {
  const text = pinText(members);
  return soleListing(members)
    ? { width: 26 + text.length * 7.5, height: 32 }
    : { width: Math.max(38, 24 + text.length * 8), height: 38 };
}

const soleListing = (members: readonly MapMarkerJson[]): MapListing | null =>
  members.length === 1 ? (members[0]?.listing ?? null) : null;

/** '$742,000', '37', or a rounded '1,200' where the count is an estimate. */
function pinText(members: readonly MapMarkerJson[]): string {
  const listing = soleListing(members);
  if (listing) return wholeDollars(listing.totalCents);
  const count = members.reduce((sum, member) => sum + member.count, 0);
  const rounded = members.some(({ approximate }) => approximate) && count > 100;
  return formatCount(rounded ? Math.round(count / 100) * 100 : count);
}

function createPin(map: L.Map, group: PinGroup<PlacedMarker>, actions: PinActions): L.Marker {
  const listing = soleListing(group.members);
  const text = pinText(group.members);
  const label = listing ? `${listing.address}, ${text}` : `${text} properties`;
  const icon = L.divIcon({
    className: listing ? 'map-price' : 'map-cluster',
    html: text,
    iconSize: undefined,
  });
  const pin = L.marker(map.unproject([group.x, group.y]), {
    icon,
    title: label,
    alt: label,
    keyboard: true,
    riseOnHover: true,
    riseOffset: RAISED,
  });
  pin.on('add', () => {
    const element = pin.getElement();
    // Otherwise the accessible name would be the bare price or count.
    element?.setAttribute('aria-label', label);
    element?.addEventListener('focus', () => pin.setZIndexOffset(RAISED));
    element?.addEventListener('blur', () => pin.setZIndexOffset(0));
    if (!element || !listing) return;
    let pointer = 'mouse';
    element.dataset.listing = listing.id;
    const look = () => actions.look({ listing, element, touched: pointer === 'touch' });
    element.addEventListener('pointerdown', ({ pointerType }) => {
      pointer = pointerType;
    });
    element.addEventListener('pointerenter', ({ pointerType }) => pointerType === 'mouse' && look());
    element.addEventListener(
      'pointerleave',
      ({ pointerType }) => pointerType === 'mouse' && actions.look(null),
    );
    element.addEventListener('focus', look);
    element.addEventListener('blur', () => pointer !== 'touch' && actions.look(null));
    pin.on('click', () => {
      if (pointer === 'touch') look();
      else actions.openListing(listing);
    });
  });
  // A press on the pin of a listing is looked at above: fingers look first.
  return pin.on(listing ? 'keypress' : 'click keypress', (event) => {
    const press = (event as L.LeafletKeyboardEvent).originalEvent;
    if (event.type === 'keypress' && press.key !== 'Enter' && press.key !== ' ') return;
    // Space would also scroll the page.
    press.preventDefault();
    if (listing) actions.openListing(listing);
    else openGroup(map, group.members, actions);
  });
}

/** Above every other pin, wherever it is on the map. */
export const RAISED = 10_000;

/** Zooms in until the members come apart; those that never do are opened as a list. */
function openGroup(map: L.Map, members: readonly PlacedMarker[], { openPlace }: PinActions): void {
  const listings = members.flatMap(({ listing }) => listing ?? []);
  if (listings.length === members.length && groupsAt(map, members, map.getMaxZoom()).length === 1) {
    openPlace(listings);
    return;
  }
  // The pin is removed with the old view, so keep the keyboard focus on the map.
  map.getContainer().focus({ preventScroll: true });
  const bounds = L.latLngBounds(members.map(({ latitude, longitude }) => [latitude, longitude]));
  const fitting = members.length > 1 ? map.getBoundsZoom(bounds, false, L.point(PADDING, PADDING)) : Infinity;
  const most = listings.length === members.length ? map.getMaxZoom() : map.getZoom() + 2;
  map.setView(bounds.getCenter(), Math.max(map.getZoom() + 1, Math.min(fitting, most, map.getMaxZoom())));
}

/** Pixels between the outermost pins and the edge of the map, both sides together. */
const PADDING = 160;
