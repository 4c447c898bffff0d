import type { Price } from '#features/fees/model.ts';
import type { ListingDetail } from './model.ts';

const about: Record<string, string> = {
  'Single Family': 'SingleFamilyResidence',
  'Multi-Family': 'Accommodation',
  'Vacant Lot': 'Place',
  Commercial: 'Place',
};
const availability = { Active: 'InStock', escrow: 'LimitedAvailability', Sold: 'SoldOut' } as const;

/** The page as schema.org data: a RealEstateListing about the place, with its fee-inclusive offer; no e-mail in it. */
export function listingStructuredData(
  listing: ListingDetail,
  price: Price,
  urls: { page: string; image: string },
): object {
  const status = listing.status in availability ? (listing.status as keyof typeof availability) : 'Sold';
  return {
    '@context': 'https://schema.org',
    '@type': 'RealEstateListing',
    url: urls.page,
    name: listing.title ?? listing.address,
    description: listing.description,
    image: urls.image,
    ...(listing.listedAt ? { datePosted: listing.listedAt.toISOString().slice(0, 10) } : {}),
    about: {
      '@type': about[listing.type] ?? 'Place',
      name: listing.address,
      address: {
        '@type': 'PostalAddress',
        streetAddress: listing.address,
        addressLocality: listing.town,
        addressCountry: 'US',
      },
      ...(listing.latitude !== null
        ? { geo: { '@type': 'GeoCoordinates', latitude: listing.latitude, longitude: listing.longitude } }
        : {}),
      ...(listing.bedrooms ? { numberOfBedrooms: listing.bedrooms } : {}),
      ...(listing.squareFeet
        ? { floorSize: { '@type': 'QuantitativeValue', value: listing.squareFeet, unitCode: 'FTK' } }
        : {}),
    },
    offers: {
      '@type': 'Offer',
      price: (price.totalCents / 100).toFixed(2),
      priceCurrency: 'USD',
      availability: `https://schema.org/${availability[status]}`,
    },
  };
}
