export { PlatenDocument } from "./document.js";
export { AuthenticationError, ConflictError, ConnectionError, CreditsError, InvalidRequestError, NotFoundError, PlatenError, RenderError, ServerError, UnavailableError, WebhookError, } from "./errors.js";
export { RenderJob } from "./job.js";
export { Platen, } from "./platen.js";
export { verifyWebhook } from "./webhook.js";
