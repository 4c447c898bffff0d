import { mulberry32 } from '#illustrator/random.ts';
import { townName } from './vocabulary.ts';

export interface Place {
  city: string;
  state: string;
  /** first three digits of its ZIPs */
  zip3: string;
  latitude: number;
  longitude: number;
  /** degrees within which most of its listings lie */
  spread: number;
}

/** city, state, first three digits of the ZIP, latitude, longitude; the largest first */
const metropolises = `New York,NY,100,40.71,-74.0|Los Angeles,CA,900,34.05,-118.24|Chicago,IL,606,41.88,-87.63
Houston,TX,770,29.76,-95.37|Phoenix,AZ,850,33.45,-112.07|Philadelphia,PA,191,39.95,-75.17|San Antonio,TX,782,29.42,-98.49
San Diego,CA,921,32.72,-117.16|Dallas,TX,752,32.78,-96.8|Austin,TX,787,30.27,-97.74|Jacksonville,FL,322,30.33,-81.66
Columbus,OH,432,39.96,-83.0|Charlotte,NC,282,35.23,-80.84|Indianapolis,IN,462,39.77,-86.16|Seattle,WA,981,47.61,-122.33
Denver,CO,802,39.74,-104.99|Boston,MA,021,42.36,-71.06|Nashville,TN,372,36.16,-86.78|Detroit,MI,482,42.33,-83.05
Portland,OR,972,45.52,-122.68|Las Vegas,NV,891,36.17,-115.14|Memphis,TN,381,35.15,-90.05|Louisville,KY,402,38.25,-85.76
Baltimore,MD,212,39.29,-76.61|Milwaukee,WI,532,43.04,-87.91|Albuquerque,NM,871,35.08,-106.65|Tucson,AZ,857,32.22,-110.97
Fresno,CA,937,36.74,-119.79|Kansas City,MO,641,39.1,-94.58|Atlanta,GA,303,33.75,-84.39|Omaha,NE,681,41.26,-95.93
Raleigh,NC,276,35.78,-78.64|Miami,FL,331,25.76,-80.19|Minneapolis,MN,554,44.98,-93.27|Tulsa,OK,741,36.15,-95.99
Tampa,FL,336,27.95,-82.46|New Orleans,LA,701,29.95,-90.07|Wichita,KS,672,37.69,-97.34|Cleveland,OH,441,41.5,-81.69
Honolulu,HI,968,21.31,-157.86|Savannah,GA,314,32.08,-81.09|Reno,NV,895,39.53,-119.81|Boise,ID,837,43.62,-116.2
Spokane,WA,992,47.66,-117.43|Des Moines,IA,503,41.59,-93.62|Salt Lake City,UT,841,40.76,-111.89|Anchorage,AK,995,61.22,-149.9
Burlington,VT,054,44.48,-73.21|Lebanon,NH,037,43.64,-72.25|Portland,ME,041,43.66,-70.26|Charleston,SC,294,32.78,-79.93
Billings,MT,591,45.78,-108.5|Fargo,ND,581,46.88,-96.79|Little Rock,AR,722,34.75,-92.29|Birmingham,AL,352,33.52,-86.81`;

/** Fifty-five cities and eight towns around each, the most frequent first. */
export const places: readonly Place[] = (() => {
  const random = mulberry32(7);
  const cities = metropolises.split(/[|\n]/).map((line): Place => {
    const [city = '', state = '', zip3 = '', latitude, longitude] = line.split(',');
    return { city, state, zip3, latitude: Number(latitude), longitude: Number(longitude), spread: 0.16 };
  });
  const towns = cities.flatMap((city, index) =>
    Array.from({ length: 8 }, (_, number): Place => {
      const away = () => (random() - 0.5) * 2.4;
      return {
        ...city,
        city: townName(index * 8 + number),
        latitude: city.latitude + away(),
        longitude: city.longitude + away(),
        spread: 0.05,
      };
    }),
  );
  return [...cities, ...towns];
})();
