/**
 * What happens to each reference to a user when the account is closed. `deleted`: the row is deleted. `anonymised`: the
 * reference is set to null. `kept`: the row keeps its reference to the account, which has no
 * name any more. A test compares this list with the schema, so that no table is missed.
 */
export const erasurePolicy = {
  'admin_tasks.assignee_id': 'kept',
  'admin_tasks.closed_by': 'kept',
  'agents.user_id': 'kept',
  'breaks.resolved_by': 'kept',
  'commission_settings.updated_by': 'kept',
  'credentials.user_id': 'deleted',
  'disputes.opened_by': 'kept',
  'document_registry.uploaded_by': 'kept',
  'homepage_content.updated_by': 'kept',
  'inquiry_messages.sender_id': 'kept',
  'inquiry_reports.reported_by': 'kept',
  'notification_preferences.user_id': 'deleted',
  'payouts.started_by': 'kept',
  'platform_settings.updated_by': 'kept',
  'profiles.id': 'kept',
  'property_changes.changed_by': 'kept',
  'property_inquiries.user_id': 'kept',
  'property_notifications.user_id': 'deleted',
  'property_sales.buyer_id': 'kept',
  'property_view_events.user_id': 'anonymised',
  'property_views.user_id': 'deleted',
  'property_watches.user_id': 'deleted',
  'refunds.requested_by': 'kept',
  'sale_events.actor_id': 'kept',
  'saved_search_mails.user_id': 'deleted',
  'saved_searches.user_id': 'deleted',
  'search_events.user_id': 'anonymised',
  'sessions.user_id': 'deleted',
  'stored_images.uploaded_by': 'anonymised',
  'user_blocks.blocked_id': 'deleted',
  'user_blocks.user_id': 'deleted',
} as const satisfies Record<`${string}.${string}`, 'deleted' | 'anonymised' | 'kept'>;
