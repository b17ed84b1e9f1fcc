import type { ErrorCode } from '../contract/errors.js'
import { type Advice, advice } from './explanation.js'

const LOOK_AT_REQUEST = 'secsctl api GET /api/docs'

/** What to do about each error of the API. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, Advice>> = {
  invalid_request: advice(
    'Every field that is wrong is named below the error, all at once. A field that no record has is refused and never dropped, so look for a typing error first.',
    LOOK_AT_REQUEST,
  ),
  invalid_json: advice(
    'Check the body as it leaves: quotes that a shell took away are the usual reason. Standard input has none of them.',
    'secsctl api POST /equipment --data - < body.json',
  ),
  invalid_cursor: advice(
    'A cursor belongs to the list and the filters that it came with. Begin the list again without one.',
    'secsctl messages list --limit 100',
  ),
  unauthenticated: advice(
    'Send a token as "Authorization: Bearer ...". The command line does it after a login.',
    'secsctl login',
    'secsctl whoami',
  ),
  invalid_credentials: advice(
    'Email and password do not go together; which of them is wrong is not told to anybody. An administrator can set a new password.',
    'secsctl login --email EMAIL',
    'secsctl users passwd EMAIL',
  ),
  wrong_password: advice(
    'A new password of your own needs the one of now. An administrator can set one without it.',
    'secsctl users passwd',
    'secsctl users passwd EMAIL',
  ),
  token_expired: advice(
    'Log in again. A program exchanges its token before it ends: POST /auth/refresh.',
    'secsctl login',
  ),
  token_revoked: advice(
    'The token was ended: by a logout, or because the password or the role of its user changed. Log in again.',
    'secsctl login',
  ),
  forbidden: advice(
    'The error names the role that is needed. A viewer reads; an operator also connects, commands and acknowledges; an engineer also sends messages and changes equipment; an admin also manages users.',
    'secsctl whoami',
    'secsctl users update EMAIL --role engineer',
  ),
  not_found: advice(
    'Compare the path with the list of all paths: /api/v1 stands before most of them.',
    LOOK_AT_REQUEST,
  ),
  equipment_not_found: advice(
    'Nothing registered has this name or id, or this beginning of one. The journal keeps the history of equipment that was removed.',
    'secsctl equipment list',
  ),
  message_not_found: advice(
    'The id of a message is the number in the first column of the list. Retention may have removed an old one.',
    'secsctl messages list',
  ),
  alarm_not_found: advice(
    'The id of an alarm is the number in the first column of the list, not its ALID.',
    'secsctl alarms list',
  ),
  recipe_not_found: advice(
    'The equipment answered without a recipe: it has none of this PPID, or does not give it away.',
    'secsctl recipes list EQ',
  ),
  name_not_found: advice(
    'The equipment was asked for its names, and none is this one, however it is spelled. Case and punctuation do not count.',
    'secsctl variables list EQ',
    'secsctl constants list EQ',
  ),
  user_not_found: advice('Users are known by their email or their id.', 'secsctl users list'),
  method_not_allowed: advice(
    'The Allow header of the answer names the methods that the path takes.',
    LOOK_AT_REQUEST,
  ),
  not_acceptable: advice(
    'The Accept header asks for a form that there is not. Leave it out, or ask for application/json.',
    LOOK_AT_REQUEST,
  ),
  equipment_name_taken: advice(
    'Another equipment has the name. Take another one, or change that equipment.',
    'secsctl equipment list',
    'secsctl equipment update EQ --name NAME',
  ),
  equipment_address_taken: advice(
    'Two equipments that dial in are told apart by address and port, so no two may have both in common.',
    'secsctl equipment list',
  ),
  equipment_connected: advice(
    'Address, port, mode, device ID, session ID and timers change only while there is no connection. Disconnect, change, connect.',
    'secsctl equipment disconnect EQ',
    'secsctl equipment connect EQ',
  ),
  equipment_not_connected: advice(
    'Nothing can be sent without a selected connection. Connect, and see what the last error was if that does not come to be.',
    'secsctl equipment connect EQ --wait 30s',
    'secsctl equipment show EQ',
  ),
  equipment_not_communicating: advice(
    'The connection is selected, and S1F13 has not been accepted. Only S1F13 itself may be sent now. See what the equipment answered to it.',
    'secsctl messages list --equipment EQ --message S1F13 --limit 5',
    'secsctl equipment show EQ',
  ),
  email_taken: advice('Another user has this email. Change that one, or take another.', 'secsctl users list'),
  last_admin: advice(
    'Somebody has to be able to manage users. Make another administrator first.',
    'secsctl users update EMAIL --role admin',
  ),
  idempotency_in_progress: advice(
    'The first request with this key is still under way. Ask again with the same key, and you are given its answer; nothing is sent twice.',
    'secsctl messages list --limit 5',
  ),
  outcome_unknown: advice(
    'The gateway ended while the first request with this key was under way. Look whether the message left and what came of it, before you send it with a new key.',
    'secsctl messages list --equipment EQ --limit 5',
  ),
  cursor_expired: advice(
    'Retention has removed what the cursor pointed at. Begin again; what is older is gone from this gateway.',
    'secsctl events list --limit 100',
  ),
  revision_mismatch: advice(
    'Somebody has changed the record since you read it. Read it again, and repeat your change if it is still right.',
    'secsctl equipment show EQ',
  ),
  body_too_large: advice(
    'A body may have 1 MiB, that of a message 24 MiB. A larger SECS-II body can be received and read, not sent.',
    LOOK_AT_REQUEST,
  ),
  unsupported_media_type: advice(
    'Say "Content-Type: application/json" with a body of JSON.',
    LOOK_AT_REQUEST,
  ),
  invalid_message: advice(
    'The data do not fit the structure of the message. Compare them item by item, and see what would leave before you send it.',
    'secsctl messages describe S2F41',
    'secsctl send EQ S2F41 RCMD=START --dry-run',
  ),
  idempotency_key_reused: advice(
    'The key stands for another request. A new request takes a new key; only a repeat, to the letter, takes the same.',
    'secsctl messages list --limit 5',
  ),
  rate_limited: advice(
    'Too many logins have failed, or too many streams are open. Wait as long as Retry-After says; it grows while attempts go on. Look for a script with an old password.',
    'secsctl daemon logs',
  ),
  quota_exceeded: advice(
    'One user, or one address, has its share of what the gateway can serve at once: event streams, wire logs, waiting logins or refreshed tokens. Close some of them, or wait as long as Retry-After says. Look for a script that opens streams and does not close them.',
    'secsctl daemon logs',
  ),
  request_timeout: advice(
    'The request came in too slowly: 15 seconds for its header, two minutes for all of it. Look at the line and at proxies on it.',
    'secsctl daemon status',
  ),
  header_too_large: advice(
    'A header of the request is longer than the gateway takes. Look at the token and at what a proxy adds.',
    'secsctl whoami',
  ),
  internal_error: advice(
    'A fault of the gateway. Its log has a line with the request id that the answer has; please report that line.',
    'secsctl daemon logs',
  ),
  transaction_aborted: advice(
    'The equipment answered SxF0: it will not do this now. Most often it is offline, and aborts all but S1F13 and S1F17. Ask it to go online, or have its operator do it.',
    'secsctl equipment show EQ',
    'secsctl equipment online EQ',
  ),
  message_rejected: advice(
    'The equipment answered Reject.req: its HSMS refused the message before anybody read it. The reason in the error says why.',
    'secsctl explain Reject 4',
    'secsctl wire tail EQ',
  ),
  equipment_error: advice(
    'The equipment answered with stream 9, or with a message that is no reply to this one. The error names it; its body is the header of the message that it complains about.',
    'secsctl explain S9F7',
    'secsctl messages list --equipment EQ --limit 5',
  ),
  connection_lost: advice(
    'The error says whether the message had left. If it had, the equipment may have acted on it: look before you send it again.',
    'secsctl equipment show EQ',
    'secsctl events list --equipment EQ --type connection --limit 5',
  ),
  store_unavailable: advice(
    'A write to the disk of the gateway has failed, so it acknowledges nothing more; equipment that spools keeps its data. Free the disk or mend it, then start the daemon again.',
    'secsctl doctor',
    'secsctl daemon logs',
    'secsctl daemon restart',
  ),
  equipment_busy: advice(
    'Too many primaries wait for a reply. Wait for them; an equipment that answers none of them has hung.',
    'secsctl equipment traffic EQ',
    'secsctl messages list --equipment EQ --limit 5',
  ),
  shutting_down: advice(
    'The gateway stops. Ask again when it is back.',
    'secsctl daemon status',
    'secsctl daemon start',
  ),
  reply_timeout: advice(
    'The primary left, and nothing came back within T3. The equipment may have acted on it: look before you send it again. One that never answers often has another device ID or is offline; an S9 that the error names tells more.',
    'secsctl equipment check EQ',
    'secsctl equipment show EQ',
    'secsctl messages list --equipment EQ --limit 5',
    'secsctl wire tail EQ',
  ),
}
