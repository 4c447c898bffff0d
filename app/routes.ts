import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

// Every page of the product, one line each, grouped by area. Endpoints that are no pages stand in server/endpoints.ts.
export default [
  layout('routes/public/shell.tsx', [
    index('routes/public/home.tsx'),
    route('properties', 'routes/public/properties.tsx'),
    route('property/:id', 'routes/public/property.tsx'),
    route('*', 'routes/public/not-found.tsx'),
  ]),
  route('property/:id/watch', 'routes/public/watch.ts'),
  route('property/:id/view', 'routes/public/view.ts'),
] satisfies RouteConfig;
