import type { Price } from '#features/fees/model.ts';
import { decimalAmount } from '#platform/money.ts';
import type { ListingDetail, PropertyStatus } from './model.ts';

const about: Record<string, string> = {
  'Single Family': 'SingleFamilyResidence',
  'Multi-Family': 'Accommodation',
  'Vacant Lot': 'Place',
  Commercial: 'Place',
};
const availability: Partial<Record<PropertyStatus, string>> = {
  Active: 'InStock',
  escrow: 'LimitedAvailability',
};

/**
 * schema.org data of the page: a RealEstateListing with its fee-inclusive offer; without the seller's e-mail.
 * @param urls `image` is a photograph of the property; null when there is none
 */
export function listingStructuredData(
  listing: ListingDetail,
  price: Price,
  urls: { page: string; image: string | null },
): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'RealEstateListing',
    url: urls.page,
    name: listing.title ?? listing.address,
    description: listing.description,
    ...(urls.image ? { image: urls.image } : {}),
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
      price: decimalAmount(price.totalCents),
      priceCurrency: 'USD',
      availability: `https://schema.org/${availability[listing.status] ?? 'SoldOut'}`,
    },
  };
}
