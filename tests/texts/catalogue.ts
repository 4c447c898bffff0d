/** Fixed texts of one place of the product, and the browser test that looks them up there. */
export interface CataloguedTexts {
  place: string;
  /** a file of tests/e2e, without `.spec.ts` */
  lookedUpIn: string;
  texts: readonly string[];
}

/**
 * R9: every fixed text of the areas of visitors, buyers and sellers that the product can show; where a text goes on with data,
 * its fixed beginning. Not shown by any page: the stand-in for a seller's name, which the database requires, and the message
 * for a short name, a locked field of the registration.
 */
export const catalogue: readonly CataloguedTexts[] = [
  { place: 'unknown path', lookedUpIn: 'visitor-errors', texts: ['404 - Page Not Found', 'Return Home'] },
  {
    place: 'page that fails',
    lookedUpIn: 'visitor-errors',
    texts: ['Oops! Something went wrong', 'Back to Home'],
  },
  {
    place: 'top navigation',
    lookedUpIn: 'visitor-shell',
    texts: [
      'All Properties',
      'Vacant Lot',
      'Single Family',
      'Multi-Family',
      'Commercial',
      'Buyer Login',
      'Create Buyer Account',
      'Seller Login',
      'Admin Login',
      'My Activity',
    ],
  },
  {
    place: 'home',
    lookedUpIn: 'visitor-home',
    texts: ['Featured Properties', 'Base price', 'View Details', 'Back to Properties'],
  },
  {
    place: 'list of properties',
    lookedUpIn: 'visitor-list',
    texts: [
      'Available Properties',
      'Search properties...',
      'No properties available at the moment.',
      'New Properties',
      'Prices include all applicable fees',
    ],
  },
  { place: 'list of properties, signed in', lookedUpIn: 'buyer-list', texts: ['Previously Viewed'] },
  {
    place: 'property',
    lookedUpIn: 'visitor-detail',
    texts: [
      'Base price',
      'Seller Information',
      'Total price includes',
      'Property not found',
      'Inquire About Property',
      'Pay with Crypto',
      'Escrow with Card/Bank Transfer',
      'Run Payment Diagnostics',
    ],
  },
  {
    place: 'property without a description',
    lookedUpIn: 'changed-data',
    texts: ['No description provided.'],
  },
  {
    place: 'inquiry about a property',
    lookedUpIn: 'buyer-inquiry',
    texts: [
      'Send Inquiry to Seller',
      'Send Inquiry',
      'Inquiry Sent',
      'The seller will get back to you soon.',
      'Failed to send message. Please try again.',
    ],
  },
  {
    place: 'watching',
    lookedUpIn: 'buyer-watch',
    texts: [
      'Sign in Required',
      'Please sign in to watch properties and receive updates',
      'Failed to update watch status',
    ],
  },
  {
    place: 'purchase by a visitor',
    lookedUpIn: 'purchase-methods',
    texts: ['Authentication Required', 'Please log in to proceed with the purchase.'],
  },
  {
    place: 'purchase that fails',
    lookedUpIn: 'purchase-failures',
    texts: ['Payment processing error: ', 'Failed to initiate card payment. Please try again.'],
  },
  {
    place: 'purchase that cannot begin',
    lookedUpIn: 'fixed-texts',
    texts: [
      'Authentication required',
      'Property information is incomplete',
      'Failed to fetch commission settings',
      'Failed to record transaction',
      'No checkout URL returned from the server',
      'Failed to initiate crypto payment. Please try again.',
    ],
  },
  {
    place: 'payment diagnostics',
    lookedUpIn: 'purchase-failures',
    texts: ['Last diagnosis: ', 'Authentication Error'],
  },
  {
    place: 'payment diagnostics',
    lookedUpIn: 'fixed-texts',
    texts: ['API Endpoint Check Failed', 'Diagnostics Failed'],
  },
  {
    place: 'buyer login',
    lookedUpIn: 'accounts-sign-in',
    texts: ['Welcome Back', 'Sign in to your buyer account', 'Login failed'],
  },
  { place: 'buyer login', lookedUpIn: 'fixed-texts', texts: ['An unexpected error occurred'] },
  {
    place: 'buyer sign-up',
    lookedUpIn: 'accounts-sign-up',
    texts: [
      'Create your buyer account',
      'Sign up',
      'Please check your email to verify your account.',
      'Invalid email address',
      'Weak',
      'Medium',
      'Strong',
    ],
  },
  { place: 'buyer sign-up', lookedUpIn: 'fixed-texts', texts: ['An unexpected error occurred.'] },
  {
    place: 'seller login',
    lookedUpIn: 'accounts-sign-in',
    texts: ['Seller Login', 'This account does not have seller access'],
  },
  {
    place: 'forgotten password',
    lookedUpIn: 'accounts-reset',
    texts: [
      'Forgot password?',
      'Reset Password',
      'Send Reset Link',
      'Password reset email sent',
      'Please check your email for the reset link',
    ],
  },
  { place: 'forgotten password', lookedUpIn: 'fixed-texts', texts: ['Password reset failed'] },
  {
    place: 'new password',
    lookedUpIn: 'accounts-reset',
    texts: [
      'Password must be at least 8 characters',
      'Passwords do not match',
      'Go to Login',
      'Failed to authenticate. Please request a new reset link.',
      'No valid reset token found. Please request a new reset link.',
      'Error updating password',
    ],
  },
  {
    place: 'new password',
    lookedUpIn: 'fixed-texts',
    texts: ['An unexpected error occurred. Please try again.'],
  },
  {
    place: "buyer's activity",
    lookedUpIn: 'fixed-texts',
    texts: [
      'Property Notifications',
      'Recently Viewed',
      'Watched Properties',
      'My Inquiries',
      'Notifications',
      'Transactions',
    ],
  },
  {
    place: "buyer's activity",
    lookedUpIn: 'buyer-activity',
    texts: [
      'Viewed ',
      'No property updates to show',
      'Property Update',
      'No transactions found',
      'Failed to mark notification as read',
    ],
  },
  {
    place: 'conversations',
    lookedUpIn: 'conversations',
    texts: [
      'Type your message to the agent...',
      'Type your reply...',
      'Property no longer available',
      'Needs Response',
      'Failed to send message. Please try again.',
    ],
  },
  { place: "seller's inquiries", lookedUpIn: 'fixed-texts', texts: ['All Inquiries'] },
  {
    place: 'seller registration',
    lookedUpIn: 'seller-registration',
    texts: [
      'Verifying seller information...',
      'Invalid Registration Link',
      'Complete Your Seller Registration',
      'Set up your account to access the seller portal',
      'Complete Registration',
      'Password must be at least 8 characters',
      'Passwords do not match',
      'The registration link is invalid or has expired.',
      'The seller ID provided does not exist.',
      'There was an error verifying your seller account.',
      'Already registered',
      'Account already exists',
      'Return Home',
    ],
  },
  {
    place: 'seller registration',
    lookedUpIn: 'fixed-texts',
    texts: ['Registration failed'],
  },
  {
    place: 'dashboard of a seller without listings',
    lookedUpIn: 'seller-registration',
    texts: ['No properties found. Add your first property to get started.'],
  },
  {
    place: 'seller area',
    lookedUpIn: 'seller-lists',
    texts: [
      'Seller Dashboard',
      'Active Listings',
      'Total Commission Earned',
      'Pending Payouts',
      'Recent Properties',
      'My Properties',
      'Loading properties...',
      'Property Inquiries',
      'My Transactions',
      'Transaction History',
      'Manage Sellers',
    ],
  },
  {
    place: 'listing form',
    lookedUpIn: 'seller-form',
    texts: [
      'Add New Property',
      'Back to Dashboard',
      'Title must be at least 2 characters.',
      'Price is required.',
      'Address must be at least 5 characters.',
      'Description must be at least 10 characters.',
      'Property type is required.',
      'Number of bedrooms is required.',
      'Number of bathrooms is required.',
      'Square footage is required.',
      'Property submitted for approval',
      'Failed to save property',
      'No authenticated user',
    ],
  },
  {
    place: 'listing form',
    lookedUpIn: 'seller-journey',
    texts: ['Submit Property Listing', 'Main Property Image', 'Additional Images'],
  },
  { place: 'carousel without pictures', lookedUpIn: 'components', texts: ['No images available'] },
  {
    place: 'listing form, editing',
    lookedUpIn: 'seller-edit',
    texts: ['Edit Property', 'Update Property', 'Back to Properties'],
  },
  {
    place: 'payment settings',
    lookedUpIn: 'seller-settings',
    texts: [
      'Payment Settings',
      '✓ Connected',
      'Connect with Stripe',
      'Save Payment Settings',
      'Commission History',
      'This record was changed by someone else',
    ],
  },
  {
    place: 'payment settings, without Stripe Connect',
    lookedUpIn: 'purchase-test-mode',
    texts: ['Coming Soon', 'Stripe integration will be available soon.'],
  },
  { place: 'payment settings', lookedUpIn: 'fixed-texts', texts: ['Failed to update payment settings.'] },
];
