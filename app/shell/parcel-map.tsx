/** A decorative survey map in the theme's colors: contour lines, a lane, a stream, and parcels with one highlighted. */
export function ParcelMap() {
  return (
    <svg
      className="parcel-map"
      viewBox="0 0 640 720"
      preserveAspectRatio="xMidYMid slice"
      fill="none"
      aria-hidden="true"
    >
      <g className="pm-contour">
        <path d="M-20 96c96-44 176-30 250 6s150 52 236 14 132-34 200-8" />
        <path d="M-20 136c96-40 168-24 240 12s158 54 246 16 128-32 194-8" />
        <path d="M-20 178c92-36 160-18 230 18s168 54 256 16 124-28 194-6" />
        <path d="M-20 222c86-30 152-12 220 22s180 54 266 16 124-24 194-4" />
        <path d="M-20 640c110-46 206-36 300-4s196 34 380-22" />
        <path d="M-20 682c110-42 206-32 300 0s196 34 380-18" />
        <path d="M-20 596c104-48 200-38 296-8s196 34 384-26" />
      </g>
      <path className="pm-stream" d="M-20 268c70 6 108 40 168 46s92-26 152-20 92 26 150 20 120-70 220-92" />
      <path className="pm-lane" d="M300 760C312 640 280 560 320 470s130-132 150-230 30-160 110-280" />
      <g className="pm-parcel">
        <path d="M60 408 214 380l42 112-28 92L92 610Z" />
        <path d="m214 380 92-10 34 60-66 96-18-34Z" />
        <path d="M92 610 228 584l44 118H112Z" />
        <path d="m404 470 132-36 56 104-118 64-92-34Z" />
        <path d="m474 602 118-64 52 132-104 60Z" />
        <path d="m520 300 112-24 24 116-120 42Z" />
      </g>
      <path className="pm-chosen" d="m404 470 132-36 56 104-118 64-92-34Z" />
      <g className="pm-stake">
        <path d="M404 470v-22M536 434v-22M592 538v-22M474 602v-22M382 568v-22" />
        <path
          className="pm-flag"
          d="m404 448 16 5-16 6M536 412l16 5-16 6M592 516l16 5-16 6M474 580l16 5-16 6M382 546l16 5-16 6"
        />
      </g>
      <g className="pm-tree">
        <circle cx="128" cy="470" r="13" />
        <circle cx="152" cy="486" r="9" />
        <circle cx="176" cy="640" r="12" />
        <circle cx="560" cy="640" r="13" />
        <circle cx="582" cy="658" r="9" />
        <circle cx="592" cy="340" r="12" />
        <circle cx="256" cy="424" r="9" />
      </g>
      <g className="pm-house">
        <path d="M462 522v-18l18-14 18 14v18Z" />
        <path d="M140 540v-14l14-11 14 11v14Z" />
        <path d="M572 388v-14l14-11 14 11v14Z" />
      </g>
      <g className="pm-compass" transform="translate(84 132)">
        <circle r="34" />
        <path d="M0-26 7 0 0 26-7 0Z" />
        <path className="pm-flag" d="M0-26 7 0H-7Z" />
        <path d="M0-42v6M0 36v6M-42 0h6M36 0h6" />
      </g>
    </svg>
  );
}
