import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

// Every page of the product, one line each, grouped by area. Endpoints that are no pages stand in server/endpoints.ts.
export default [
  layout('routes/public/shell.tsx', [
    index('routes/public/home.tsx'),
    route('properties', 'routes/public/properties.tsx'),
    route('property/:id', 'routes/public/property.tsx'),
    route('reset-password', 'routes/public/reset-password.tsx'),
    route('verify-email', 'routes/public/verify-email.tsx'),
    route('account', 'routes/public/account.tsx'),
    route('unsubscribe', 'routes/public/unsubscribe.tsx'),
    route('buyer/login', 'routes/buyer/login.tsx'),
    route('buyer/signup', 'routes/buyer/signup.tsx'),
    layout('routes/buyer/guard.tsx', [
      route('buyer/transactions', 'routes/buyer/activity.tsx'),
      route('buyer/sales/:id', 'routes/buyer/sale.tsx'),
    ]),
    route('receipt/:id', 'routes/public/receipt.tsx'),
    route('agent/login', 'routes/agent/login.tsx'),
    layout('routes/dev/guard.tsx', [route('dev/mail', 'routes/dev/mail.tsx')]),
    route('*', 'routes/public/not-found.tsx'),
  ]),
  layout('routes/agent/guard.tsx', [
    route('agent/dashboard', 'routes/agent/dashboard.tsx'),
    route('agent/sales/:id', 'routes/agent/sale.tsx'),
    route('agent/inquiries', 'routes/agent/inquiries.tsx'),
  ]),
  layout('routes/admin/door-shell.tsx', [route('admin', 'routes/admin/login.tsx')]),
  layout('routes/admin/guard.tsx', [route('admin/dashboard', 'routes/admin/dashboard.tsx')]),
  route('sandbox/checkout/:ref', 'routes/sandbox/checkout.tsx'),
  route('logout', 'routes/api/logout.ts'),
  route('inquiries/:id', 'routes/public/inquiry.ts'),
  route('buyer/notifications', 'routes/buyer/notifications.ts'),
  route('saved-searches', 'routes/public/saved-searches.ts'),
  route('property/:id/watch', 'routes/public/watch.ts'),
  route('property/:id/purchase', 'routes/public/purchase.ts'),
  route('property/:id/view', 'routes/public/view.ts'),
  layout('routes/dev/guard.tsx', { id: 'dev-bare' }, [route('dev/ui', 'routes/dev/ui.tsx')]),
] satisfies RouteConfig;
