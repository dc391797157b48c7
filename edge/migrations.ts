/// <reference path="./sql.d.ts" />
import type { Migration } from '../shared/records/migrate.ts'
import templates from '../shared/records/migrations/0001_templates.sql'
import renders from '../shared/records/migrations/0002_renders.sql'
import queue from '../shared/records/migrations/0003_queue.sql'
import secrets from '../shared/records/migrations/0004_secrets.sql'
import blobKeys from '../shared/records/migrations/0005_blob_keys.sql'
import jobs from '../shared/records/migrations/0006_jobs.sql'
import jobStates from '../shared/records/migrations/0007_job_states.sql'
import revokedTokens from '../shared/records/migrations/0008_revoked_tokens.sql'
import accounts from '../shared/records/migrations/0009_accounts.sql'
import accountTokens from '../shared/records/migrations/0010_account_tokens.sql'
import accountCredits from '../shared/records/migrations/0011_account_credits.sql'
import templateUses from '../shared/records/migrations/0012_template_uses.sql'
import jobAttempts from '../shared/records/migrations/0013_job_attempts.sql'
import renderDigests from '../shared/records/migrations/0014_render_digests.sql'
import queueTurns from '../shared/records/migrations/0015_queue_turns.sql'
import templateLists from '../shared/records/migrations/0016_template_lists.sql'
import leases from '../shared/records/migrations/0017_leases.sql'
import idempotencyKeys from '../shared/records/migrations/0018_idempotency_keys.sql'
import webhookCalls from '../shared/records/migrations/0019_webhook_calls.sql'
import jobProgress from '../shared/records/migrations/0020_job_progress.sql'
import templateChecks from '../shared/records/migrations/0021_template_checks.sql'
import templateGrams from '../shared/records/migrations/0022_template_grams.sql'
import openCharges from '../shared/records/migrations/0023_open_charges.sql'
import deletedTemplates from '../shared/records/migrations/0024_deleted_templates.sql'

/**
 * The files of `shared/records/migrations`, whose text the bundler includes in the Worker. A test compares
 * the list with the folder.
 */
export const migrations: readonly Migration[] = [
  { name: '0001_templates.sql', sql: templates },
  { name: '0002_renders.sql', sql: renders },
  { name: '0003_queue.sql', sql: queue },
  { name: '0004_secrets.sql', sql: secrets },
  { name: '0005_blob_keys.sql', sql: blobKeys },
  { name: '0006_jobs.sql', sql: jobs },
  { name: '0007_job_states.sql', sql: jobStates },
  { name: '0008_revoked_tokens.sql', sql: revokedTokens },
  { name: '0009_accounts.sql', sql: accounts },
  { name: '0010_account_tokens.sql', sql: accountTokens },
  { name: '0011_account_credits.sql', sql: accountCredits },
  { name: '0012_template_uses.sql', sql: templateUses },
  { name: '0013_job_attempts.sql', sql: jobAttempts },
  { name: '0014_render_digests.sql', sql: renderDigests },
  { name: '0015_queue_turns.sql', sql: queueTurns },
  { name: '0016_template_lists.sql', sql: templateLists },
  { name: '0017_leases.sql', sql: leases },
  { name: '0018_idempotency_keys.sql', sql: idempotencyKeys },
  { name: '0019_webhook_calls.sql', sql: webhookCalls },
  { name: '0020_job_progress.sql', sql: jobProgress },
  { name: '0021_template_checks.sql', sql: templateChecks },
  { name: '0022_template_grams.sql', sql: templateGrams },
  { name: '0023_open_charges.sql', sql: openCharges },
  { name: '0024_deleted_templates.sql', sql: deletedTemplates },
]
