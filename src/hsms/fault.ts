/** Why an attempt to connect, or a connection, ended. */
export type ConnectionFault =
  | 'connection_refused'
  | 'no_route'
  | 'connect_timeout'
  | 'listen_failed'
  | 'connection_lost'
  | 'separated' // the peer sent Separate.req
  | 't6'
  | 't7'
  | 't8'
  | 'linktest_timeout'
  | 'select_refused'
  | 'bad_frame' // a length that no frame has
  | 'not_hsms' // the peer speaks SECS-I, HTTP or something else
  | 'retry_limit' // SECS-I: the peer did not take a block, RTY times in addition to the first
  | 'not_secs1' // the peer speaks HSMS, Telnet or something else

/** A fault and what a person should know of it. */
export interface Fault {
  readonly code: ConnectionFault
  readonly detail: string
}
