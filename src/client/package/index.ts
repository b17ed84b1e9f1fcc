export { connect, Gateway } from './connect.js'
export { GatewayError, GatewayUnreachable } from './gateway-error.js'
