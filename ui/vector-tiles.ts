import L from 'leaflet';
import { PMTiles, TileType } from 'pmtiles';
import { leafletLayer } from 'protomaps-leaflet';

/**
 * Adds the streets of a PMTiles file with vector tiles in the basemap schema of Protomaps, in the colors of the page. Of the file only
 * what is visible is fetched.
 * @param url of a file whose server answers requests for ranges
 * @throws when the file cannot be read, or holds something else
 */
export async function addVectorTiles(map: L.Map, url: string): Promise<void> {
  let removed = false;
  map.once('unload', () => {
    removed = true;
  });
  const archive = new PMTiles(url);
  const { tileType, maxZoom } = await archive.getHeader();
  if (tileType !== TileType.Mvt) throw new Error('The PMTiles file holds no vector tiles');
  if (removed) return;
  // The library takes Leaflet from the window.
  Object.assign(window, { L });
  const create = () =>
    leafletLayer({
      url: archive,
      flavor: document.documentElement.classList.contains('dark') ? 'dark' : 'light',
      lang: 'en',
      maxDataZoom: maxZoom,
      attribution: '© OpenStreetMap contributors',
    }) as unknown as L.GridLayer;
  let layer = create().addTo(map);
  const theme = new MutationObserver(() => {
    layer.remove();
    layer = create().addTo(map);
  });
  theme.observe(document.documentElement, { attributeFilter: ['class'] });
  map.on('unload', () => theme.disconnect());
}
