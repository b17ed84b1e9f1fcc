/** Category of an error code; it determines the exit code of the command line. */
export type ErrorKind =
  | 'unexpected'
  | 'usage'
  | 'missing'
  | 'access'
  | 'state'
  | 'unreachable'
  | 'timeout'
  | 'equipment'
  | 'damaged'

/**
 * A command of the command line and its arguments. `EQ` is the equipment that the error is about, `SxFy` the message;
 * other words in capitals are examples.
 */
export type NextCommand = readonly [command: string, ...args: readonly string[]]

interface ErrorRow {
  readonly status: number
  readonly kind: ErrorKind
  readonly title: string
  /** What the command line prints below the error: the first command, that which explains the error, or nothing. */
  readonly hint: 'command' | 'explain' | 'none'
  /** What to do, in words: one to four sentences. */
  readonly advice: string
  /** What to type, the most useful first. */
  readonly commands: readonly NextCommand[]
}

const row = (
  [status, kind, title, hint = 'command']: readonly [number, ErrorKind, string, ErrorRow['hint']?],
  advice: string,
  ...commands: readonly NextCommand[]
): ErrorRow => ({ status, kind, title, hint, advice, commands })

// Commands that several rows name.
const LOGIN: NextCommand = ['login']
const WHOAMI: NextCommand = ['whoami']
const KEYS: NextCommand = ['keys', 'list']
const API: NextCommand = ['api', 'GET', '/api/docs']
const SHOW: NextCommand = ['equipment', 'show', 'EQ']
const LIST: NextCommand = ['equipment', 'list']
const LAST: NextCommand = ['messages', 'list', '--equipment', 'EQ', '--limit', '5']
const RECENT: NextCommand = ['messages', 'list', '--limit', '5']
const LOGS: NextCommand = ['daemon', 'logs']
const NODES: NextCommand = ['daemon', 'nodes']
const SINKS: NextCommand = ['sinks', 'list']

/** Every way a request can fail. The API's answers, OpenAPI, exit codes, hints, `explain` and docs/rest-api.md use it. */
export const ERRORS = {
  invalid_request: row(
    [400, 'usage', 'The request is not valid', 'none'],
    'Every member that is wrong is named with the error, all at once. A member that no record has is refused and never ignored, so look for a typing error first.',
    API,
  ),
  invalid_json: row(
    [400, 'usage', 'The body is not JSON', 'none'],
    'Check the body as it is sent: quotes that a shell removed are the usual reason. Standard input keeps them.',
    ['api', 'POST', '/equipment', '--data', '-'],
  ),
  invalid_cursor: row(
    [400, 'usage', 'The cursor does not belong to this list', 'none'],
    'A cursor belongs to the list and the filters that it came with. Start the list again without one.',
    ['messages', 'list', '--limit', '100'],
  ),
  unauthenticated: row(
    [401, 'access', 'A token is needed'],
    'Send a token as "Authorization: Bearer ...". The command line does so after a login.',
    LOGIN,
    WHOAMI,
  ),
  invalid_credentials: row(
    [401, 'access', 'Email or password is wrong', 'explain'],
    'The email and the password do not belong together; the response does not say which of them is wrong. An administrator can set a new password.',
    ['login', '--email', 'EMAIL'],
    ['users', 'passwd', 'EMAIL'],
  ),
  sso_disabled: row(
    [409, 'state', 'There is no sign-on with company accounts', 'none'],
    'The gateway has no identity provider: an administrator sets auth.oidc in its configuration file. Log in with an email and a password.',
    ['login', '--email', 'EMAIL'],
    ['daemon', 'check-config', '--print-sample'],
  ),
  sso_pending: row(
    [409, 'state', 'The user has not signed on yet', 'none'],
    'Open the address in a browser, compare the code and sign on. A program repeats the exchange after the time that the response gives.',
    ['login', '--sso'],
  ),
  sso_failed: row(
    [401, 'access', 'The sign-on failed', 'none'],
    'The error says what the identity provider or its response had that was wrong. A sign-on that took too long, or was begun elsewhere, is begun again. What the provider has to have set for the gateway is in docs/secure.md.',
    ['login', '--sso'],
    LOGS,
  ),
  sso_no_access: row(
    [403, 'access', 'The company account has no access', 'none'],
    'None of the groups of the account is in auth.roles of the gateway, or the account was disabled. The error names the groups that came. Ask for a group, or have a rule added.',
    ['login', '--sso'],
  ),
  sso_required: row(
    [403, 'access', 'Passwords are for local administrators only'],
    'The gateway takes passwords only of local administrators (auth.local: admins-only). Everybody else signs on with the company account.',
    ['login', '--sso'],
  ),
  sso_user: row(
    [409, 'state', 'The user belongs to the company accounts', 'none'],
    'Email, role, selector and password of this user come from the identity provider: change the groups there, or the rules in auth.roles.',
    ['users', 'list'],
  ),
  sso_unavailable: row(
    [503, 'unreachable', 'The identity provider does not respond', 'none'],
    'The gateway cannot reach the identity provider, or does not trust its certificate; the error says why. Tokens stay valid until they expire. Local administrators can log in with their passwords.',
    ['login', '--email', 'EMAIL'],
    ['doctor'],
  ),
  token_expired: row(
    [401, 'access', 'The token has expired'],
    'Log in again. A program exchanges its token before it expires: POST /auth/refresh. For an API key that has expired, an administrator creates another one.',
    LOGIN,
    KEYS,
  ),
  token_revoked: row(
    [401, 'access', 'The token has been revoked'],
    'A logout revoked the token, or the password or the role of its user changed. Log in again. An API key was revoked by an administrator; the audit shows who did it.',
    LOGIN,
    KEYS,
  ),
  forbidden: row(
    [403, 'access', 'The role does not allow this'],
    'The error names the role that is needed. A viewer reads; an operator also connects, commands and acknowledges; an engineer also sends messages and changes equipment; an admin also manages users and API keys.',
    WHOAMI,
    ['users', 'update', 'EMAIL', '--role', 'engineer'],
  ),
  users_only: row(
    [403, 'access', 'The call is for users, not for API keys', 'none'],
    'An API key has no password, no login and no tokens to refresh. The key itself is shown by GET /keys/me; an administrator revokes it.',
    WHOAMI,
    KEYS,
  ),
  wrong_password: row(
    [403, 'access', 'The current password is wrong', 'none'],
    'To change your own password, give the current one as well. An administrator can set a password without it.',
    ['users', 'passwd'],
    ['users', 'passwd', 'EMAIL'],
  ),
  not_found: row(
    [404, 'missing', 'There is no such path'],
    'Compare the path with the list of all paths: most of them begin with /api/v1.',
    API,
  ),
  equipment_not_found: row(
    [404, 'missing', 'There is no such equipment'],
    'No equipment has this name or id, or a name or id that begins so. The journal keeps the history of equipment that was removed.',
    LIST,
  ),
  message_not_found: row(
    [404, 'missing', 'There is no such message'],
    'The id of a message is the number in the first column of the list. Retention may have deleted an old message.',
    ['messages', 'list'],
  ),
  alarm_not_found: row(
    [404, 'missing', 'There is no such alarm'],
    'The id of an alarm is the number in the first column of the list, not its ALID.',
    ['alarms', 'list'],
  ),
  recipe_not_found: row(
    [404, 'missing', 'The equipment has no such recipe'],
    'The reply of the equipment has no recipe: it has none with this PPID, or does not send it.',
    ['recipes', 'list', 'EQ'],
  ),
  object_not_found: row(
    [404, 'missing', 'The equipment has no such job or other object'],
    'The reply of the equipment does not have a job, carrier or other object with this ID. Finished jobs go when their material is taken.',
    ['objects', 'types', 'EQ'],
  ),
  name_not_found: row(
    [404, 'missing', 'The equipment has no object with this name'],
    'The equipment was asked for its names, and none of them is this one. Case and punctuation do not count.',
    ['variables', 'list', 'EQ'],
    ['constants', 'list', 'EQ'],
  ),
  user_not_found: row(
    [404, 'missing', 'There is no such user'],
    'A user is identified by the email or the id.',
    ['users', 'list'],
  ),
  key_not_found: row(
    [404, 'missing', 'There is no such API key'],
    'An API key is identified by the name or the id. A revoked key is no longer in the list.',
    KEYS,
  ),
  sink_not_found: row(
    [404, 'missing', 'There is no such sink'],
    'A sink is identified by the name or the id. The list has all of them.',
    SINKS,
  ),
  node_not_found: row(
    [404, 'missing', 'There is no such daemon'],
    'A daemon is identified by the name or the id. One that has stopped cannot be drained; it drives nothing.',
    NODES,
  ),
  method_not_allowed: row(
    [405, 'usage', 'The path does not support this method', 'none'],
    'The Allow header of the response names the methods of the path.',
    API,
  ),
  not_acceptable: row(
    [406, 'usage', 'None of the accepted media types is available', 'none'],
    'The Accept header asks for a media type that the path does not have. Leave it out, or ask for application/json.',
    API,
  ),
  request_timeout: row(
    [408, 'unexpected', 'The request did not arrive in time', 'none'],
    'The request came in too slowly: 15 seconds for its header, two minutes for all of it. Check the network and the proxies on the way.',
    ['daemon', 'status'],
  ),
  equipment_name_taken: row(
    [409, 'state', 'The name is already in use'],
    'Another equipment has the name. Choose another one, or change that equipment.',
    LIST,
    ['equipment', 'update', 'EQ', '--name', 'NAME'],
  ),
  equipment_address_taken: row(
    [409, 'state', 'Other equipment uses this address and port, or serial port'],
    'Equipment that dials in is identified by its address and the port, so no two may have both in common. A serial port and the port of a tap belong to one equipment. Equipment that the gateway dials may be registered twice.',
    LIST,
  ),
  equipment_connected: row(
    [409, 'state', 'The equipment is connected'],
    'Address, port, mode, device ID, session ID and timers can change only while there is no connection. Disconnect, change, connect. Tapped equipment whose host works with it is removed only with `force`, since that host is cut off.',
    ['equipment', 'disconnect', 'EQ'],
    ['equipment', 'connect', 'EQ'],
  ),
  personal_safety_alarm: row(
    [409, 'state', 'The alarm is one of personal safety'],
    'An alarm of personal safety is shelved only where the call says so plainly: with `personal_safety` true. Be sure that nobody is in danger before you do it.',
    ['alarms', 'shelve', 'EQ', 'ALID', '--for', 'DURATION', '--reason', 'TEXT', '--personal-safety'],
  ),
  equipment_locked: row(
    [409, 'state', 'Somebody else has locked the equipment'],
    'The error names who holds the lock, until when, and why. The equipment can still be read. Wait until the lock ends, ask its holder to release it, or have an administrator break it.',
    SHOW,
    ['equipment', 'unlock', 'EQ', '--force', '--reason', 'TEXT'],
  ),
  carrier_in_job: row(
    [409, 'state', 'Another process job has the carrier'],
    'The call creates a process job only where no other has one of its carriers, and the error names the one that has. Wait until that job is over, or leave out `only_free_carriers`.',
    ['jobs', 'list', 'EQ'],
  ),
  equipment_not_connected: row(
    [409, 'state', 'The equipment is not connected'],
    'Nothing can be sent without a selected connection. Connect, and look at the last error if that does not succeed.',
    ['equipment', 'connect', 'EQ'],
    SHOW,
  ),
  equipment_not_communicating: row(
    [409, 'state', 'The equipment is not communicating'],
    'The connection is selected, and S1F13 has not been accepted. Only S1F13 itself may be sent now. See the reply of the equipment to it.',
    SHOW,
    ['messages', 'list', '--equipment', 'EQ', '--message', 'S1F13', '--limit', '5'],
  ),
  email_taken: row(
    [409, 'state', 'The email is already in use', 'none'],
    'Another user has this email. Change that user, or choose another email.',
    ['users', 'list'],
  ),
  key_name_taken: row(
    [409, 'state', 'The name of the API key is already in use'],
    'Another API key has this name; an expired key keeps its name until it is revoked. Revoke that key, or choose another name.',
    KEYS,
  ),
  sink_name_taken: row(
    [409, 'state', 'The name of the sink is already in use'],
    'Another sink has this name. Choose another one, or change that sink.',
    SINKS,
  ),
  node_needed: row(
    [409, 'state', 'No other daemon can take the equipment'],
    'A daemon is drained where another daemon works on the same database, is alive and does not drain. A daemon on a data folder is the only one: stop it, and it disconnects its equipment in order.',
    NODES,
  ),
  last_admin: row(
    [409, 'state', 'The last administrator cannot be removed', 'explain'],
    'Somebody has to be able to manage users. Make another administrator first.',
    ['users', 'update', 'EMAIL', '--role', 'admin'],
  ),
  standby: row(
    [409, 'state', 'The gateway is in standby'],
    'The gateway was started with --standby, for a restored copy or a drill: it connects to no equipment, delivers to no sink and changes nothing. It stays so over restarts. Where the gateway that it is a copy of is off, have it take over, on its machine.',
    ['daemon', 'status'],
    ['daemon', 'restart', '--take-over'],
  ),
  idempotency_in_progress: row(
    [409, 'state', 'The first request with this key is still in progress', 'explain'],
    'Ask again later with the same key: the response is that of the first request, and nothing is sent twice.',
    RECENT,
  ),
  outcome_unknown: row(
    [409, 'state', 'The outcome of the first request with this key is not known'],
    'The gateway ended while the first request with this key was in progress, or could not record the reply. Check whether the message was sent and what its outcome was before you send it with a new key.',
    LAST,
  ),
  tapped_read_only: row(
    [409, 'state', 'The equipment is shared with its host'],
    'Beside the host of tapped equipment, clients may ask short questions alone. The error names the setting that allows more: `tap.reads`, or `tap.writes`. The host does not know of what you send.',
    SHOW,
    ['equipment', 'update', 'EQ', '--tap-reads', 'all'],
  ),
  not_tapped: row(
    [409, 'state', 'The equipment is not shared with another host'],
    'The call is about the tap between equipment and its host, and this equipment has none: the gateway is its host.',
    SHOW,
  ),
  cursor_expired: row(
    [410, 'unexpected', 'Retention has deleted the entries at the cursor', 'explain'],
    'Start again without the cursor. Older entries are no longer in this gateway.',
    ['events', 'list', '--limit', '100'],
  ),
  revision_mismatch: row(
    [412, 'state', 'The record was changed by another request', 'explain'],
    'Somebody has changed the record since you read it. Read it again, and repeat your change if it is still right.',
    SHOW,
  ),
  body_too_large: row(
    [413, 'usage', 'The body is too large', 'none'],
    'A body may have 1 MiB, that of a message 24 MiB. A larger SECS-II body can be received and read, not sent.',
    API,
  ),
  unsupported_media_type: row(
    [415, 'usage', 'The body must be JSON', 'none'],
    'Send JSON with "Content-Type: application/json".',
    API,
  ),
  invalid_message: row(
    [422, 'usage', 'The body does not fit the message'],
    'The data do not fit the structure of the message. Compare them item by item, and print what would be sent before you send it.',
    ['catalogue', 'describe', 'SxFy'],
    ['send', 'EQ', 'SxFy', '--dry-run'],
  ),
  idempotency_key_reused: row(
    [422, 'usage', 'The idempotency key was used for another request', 'explain'],
    'Use a new key for each new request. Use the same key only for a repeat that is the same to the last character.',
    RECENT,
  ),
  rate_limited: row(
    [429, 'unexpected', 'Too many attempts', 'explain'],
    'Too many logins have failed, or too many streams are open. Wait as long as Retry-After says; it grows while attempts continue. Look for a script with an old password.',
    LOGS,
  ),
  quota_exceeded: row(
    [429, 'unexpected', 'The caller has reached its limit', 'explain'],
    'One user, or one address, has its share of what the gateway can serve at once: event streams, wire logs, waiting logins, refreshed tokens, or commands that wait for an event of one equipment; or the gateway has as many API keys, users or sinks as it takes. Close or remove some of them, or wait as long as Retry-After says, where the response has it. Look for a script that opens streams and does not close them.',
    LOGS,
  ),
  header_too_large: row(
    [431, 'usage', 'The header is too large', 'none'],
    'A header of the request is longer than the gateway accepts. Look at the token and at what a proxy adds.',
    WHOAMI,
  ),
  internal_error: row(
    [500, 'unexpected', 'An unexpected error occurred'],
    'A fault of the gateway. Its log has a line with the request id of the response; please report that line.',
    LOGS,
  ),
  history_damaged: row(
    [500, 'damaged', 'A part of the recorded history is damaged'],
    'A file of the data folder is not what the gateway wrote, so the records in it cannot be read; everything else can. Verify the journal on the machine of the gateway: it lists what is lost. A backup has the file as it was.',
    ['journal', 'verify'],
  ),
  transaction_aborted: row(
    [502, 'equipment', 'The equipment aborted the transaction'],
    'The equipment replied with SxF0: it does not do this now. Most often it is offline, and aborts everything but S1F13 and S1F17. Ask it to go online, or have its operator do it.',
    SHOW,
    ['equipment', 'online', 'EQ'],
  ),
  message_rejected: row(
    [502, 'equipment', 'The equipment rejected the message'],
    'The equipment replied with Reject.req: its HSMS refused the message before its body was read. The error names the reason.',
    SHOW,
    ['explain', 'Reject', '4'],
    ['wire', 'tail', 'EQ'],
  ),
  equipment_error: row(
    [502, 'equipment', 'The equipment reported an error'],
    'The equipment replied with stream 9, or with a message that is no reply to this one. The error names it; the body of a stream 9 message is the header of the message that it is about.',
    LAST,
    ['explain', 'S9F7'],
  ),
  connection_lost: row(
    [502, 'equipment', 'The connection to the equipment was lost'],
    'The error says whether the message had been sent. If it had, the equipment may have acted on it: look before you send it again.',
    SHOW,
    ['events', 'list', '--equipment', 'EQ', '--type', 'connection', '--limit', '5'],
  ),
  owner_lost: row(
    [502, 'unexpected', 'The daemon that ran the call was lost'],
    'Another daemon ran the call, since it drives the equipment, and the connection to it was lost. The call may have had its effect: look before you repeat it. With the same Idempotency-Key a repeat sends nothing twice.',
    LAST,
    ['daemon', 'nodes'],
  ),
  store_unavailable: row(
    [503, 'unexpected', 'The gateway cannot write to its store'],
    'The disk of the gateway or its database does not take records, so it acknowledges nothing more; equipment that spools keeps its data. Where the database is away, bring it back: the daemons go on by themselves, and a restart only ends their sessions. Where a disk has failed, free space on it or repair it, then start the daemon again.',
    LOGS,
    ['doctor'],
  ),
  equipment_unowned: row(
    [503, 'unexpected', 'No daemon can run this call at the moment', 'explain'],
    'Of several daemons on one database, one drives each equipment, and one has the duties of the site, such as logins and sinks. When it stops or fails, another takes over within seconds. Ask again after the time in Retry-After.',
    SHOW,
  ),
  equipment_busy: row(
    [503, 'unexpected', 'Too many open transactions, or bytes on their way to the equipment'],
    'Too many primaries wait for a reply, or more than 16 MiB of them have not left yet. Wait for them; equipment that replies to none of them hangs. With a tap, the host of the equipment comes first, and a message of yours waits for its turn.',
    LAST,
    ['equipment', 'traffic', 'EQ'],
  ),
  gateway_busy: row(
    [503, 'unexpected', 'Too many long requests at once', 'none'],
    'Long bodies of requests and long responses have a share of the memory of the gateway, and callers take turns. A request that has waited for a minute is refused, and nothing is done. Repeat it after the time in Retry-After. Look for a script that sends or reads many long messages or recipes at once.',
    LOGS,
  ),
  shutting_down: row(
    [503, 'unexpected', 'The gateway is stopping', 'none'],
    'Ask again when the gateway has started again.',
    ['daemon', 'status'],
    ['daemon', 'start'],
  ),
  not_connected_in_time: row(
    [504, 'timeout', 'The equipment does not communicate yet'],
    'The connect waited as long as `wait` said. The gateway keeps trying to connect. The error has the last error and what to change.',
    SHOW,
    ['equipment', 'test', 'EQ'],
  ),
  reply_timeout: row(
    [504, 'timeout', 'The equipment did not reply in time'],
    'The primary was sent, and no reply came within T3. The equipment may have acted on it: look before you send it again. Equipment that never replies often has another device ID or is offline; a stream 9 message that the error names says more.',
    SHOW,
    ['equipment', 'check', 'EQ'],
    LAST,
    ['wire', 'tail', 'EQ'],
  ),
} satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof ERRORS
