# The image of one process. It has never been built by Docker here: `npm run docker:replay` runs its steps in a root of Debian instead.
#   docker build -t market:2 --build-arg FORMER=market:1 .
# FORMER names the image of the version before, whose scripts and styles pages that are open still load; leave it out for the first.
ARG FORMER=none

FROM node:24-bookworm-slim AS build
WORKDIR /srv/market
COPY package.json package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund --loglevel=error
COPY . .
RUN node scripts/build.mjs

FROM node:24-bookworm-slim AS packages
WORKDIR /srv/market
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund --loglevel=error

FROM node:24-bookworm-slim AS none
RUN mkdir -p /srv/market/build/client/assets

FROM ${FORMER} AS former

FROM node:24-bookworm-slim
WORKDIR /srv/market
RUN mkdir -p /var/lib/market && chown node:node /var/lib/market
COPY package.json package-lock.json ./
COPY --from=packages /srv/market/node_modules node_modules
COPY --from=former /srv/market/build/client/assets build/client/assets
COPY --from=build /srv/market/build build
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/market MALLOC_MMAP_THRESHOLD_=1000000
USER node
VOLUME /var/lib/market
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "build/server/index.js"]
