import { both, equipment, host, stream } from '../message-row.js'

const MATRIX = '<L MATRIX... <L <PPID> <L <MID>...>>>'
const FORMATTED_PARTS = '<PPID> <MDLN> <SOFTREV> <L COMMANDS... <L <CCODE> <L <PPARM>...>>>'
const FORMATTED = `<L ${FORMATTED_PARTS}>` as const

/** A parameter of a process command, by the kind of its values. */
const ANY_PARAM = '<L <PNAME> <RQPAR> <PDFLT> <PMAX>>'
const NUMBER_PARAM = '<L <PNAME> <RQPAR> <PDFLT> <PMAX> <LLIM> <ULIM> <UNITS> <RESC> <RESV>>'
const TEXT_PARAM = '<L <PNAME> <RQPAR> <PDFLT> <PMAX> <L <STEMP>...>>'

/** Stream 7: process programs. */
export const STREAM_7 = stream(
  {
    'secsgem, hume': 'F1-F5 F17-F20',
    asymtek: 'F6',
    'bee, hume': 'F7-F10 F12 F14-F16',
    'hume, ifab': 'F11 F13 F29-F36',
    'bee, ifab': 'F21',
    ifab: 'F22',
    nikon: 'F23-F24',
    secsgemdocs: 'F25',
    'xcom, secsgemdocs': 'F26',
    'hume, ifab, xcom': 'F27-F28',
    hume: 'F37-F44',
  },
  both('S7F1 W', 'Process Program Load Inquire', '<L <PPID> <LENGTH>>'),
  both('S7F2', 'Process Program Load Grant', '<PPGNT>'),
  both('S7F3 W', 'Process Program Send', '<L <PPID> <PPBODY>>'),
  both('S7F4', 'Process Program Acknowledge', '<ACKC7>'),
  both('S7F5 W', 'Process Program Request', '<PPID>'),
  both('S7F6', 'Process Program Data', '<L? <PPID> <PPBODY>>'),
  equipment('S7F7 W', 'Process Program ID Request', '<MID>'),
  host('S7F8', 'Process Program ID Data', '<L <PPID> <MID>>'),
  both('S7F9 W', 'Material/Process Matrix Request'),
  both('S7F10', 'Material/Process Matrix Data', MATRIX),
  host('S7F11 [W]', 'Material/Process Matrix Update Send', MATRIX),
  equipment('S7F12', 'Material/Process Matrix Update Acknowledge', '<ACKC7>'),
  host('S7F13 [W]', 'Delete Material/Process Matrix Entry Send', MATRIX),
  equipment('S7F14', 'Delete Material/Process Matrix Entry Acknowledge', '<ACKC7>'),
  host('S7F15 W', 'Matrix Mode Select Send', '<MMODE>'),
  equipment('S7F16', 'Matrix Mode Select Acknowledge', '<ACKC7>'),
  host('S7F17 W', 'Delete Process Program Send', '<L <PPID>...>'),
  equipment('S7F18', 'Delete Process Program Acknowledge', '<ACKC7>'),
  host('S7F19 W', 'Current EPPD Request'),
  equipment('S7F20', 'Current EPPD Data', '<L <PPID>...>'),
  host('S7F21 W', 'Equipment Process Capabilities Request'),
  equipment(
    'S7F22',
    'Equipment Process Capabilities Data',
    [
      '<L <MDLN> <SOFTREV> <CMDMAX> <BYTMAX> <L COMMANDS...',
      '<L <CCODE> <CNAME> <RQCMD> <BLKDEF> <BCDS> <IBCDS> <NBCDS> <ACDS> <IACDS> <NACDS>',
      `<L PARAMS... (${ANY_PARAM} | ${NUMBER_PARAM} | ${TEXT_PARAM})>>>>`,
    ].join(' '),
  ),
  both('S7F23 W', 'Formatted Process Program Send', FORMATTED),
  both('S7F24', 'Formatted Process Program Acknowledge', '<ACKC7>'),
  both('S7F25 W', 'Formatted Process Program Request', '<PPID>'),
  both('S7F26', 'Formatted Process Program Data', `<L? ${FORMATTED_PARTS}>`),
  equipment('S7F27 W', 'Process Program Verification Send', [
    '<L <PPID> <L ERRORS... <L <ACKC7A> <SEQNUM> <ERRW7>>>>',
  ]),
  host('S7F28', 'Process Program Verification Acknowledge'),
  equipment('S7F29 W', 'Process Program Verification Inquire', '<LENGTH>'),
  host('S7F30', 'Process Program Verification Grant', '<PPGNT>'),
  host('S7F31 W', 'Verification Request Send', FORMATTED),
  equipment('S7F32', 'Verification Request Acknowledge', '<ACKC7>'),
  both('S7F33 W', 'Process Program Available Request', '<PPID>'),
  both('S7F34', 'Process Program Availability Data', '<L <PPID> <UNFLEN> <FRMLEN>>'),
  both('S7F35 W', 'Process Program for MID Request', '<MID>'),
  both('S7F36', 'Process Program for MID Data', '<L <MID> <PPID> <PPBODY>>'),
  both('S7F37 W', 'Large Process Program Send', '<DSNAME>'),
  both('S7F38', 'Large Process Program Send Acknowledge', '<ACKC7>'),
  both('S7F39 W', 'Large Formatted Process Program Send', '<DSNAME>'),
  both('S7F40', 'Large Formatted Process Program Acknowledge', '<ACKC7>'),
  both('S7F41 W', 'Large Process Program Request', '<DSNAME>'),
  both('S7F42', 'Large Process Program Request Acknowledge', '<ACKC7>'),
  both('S7F43 W', 'Large Formatted Process Program Request', '<DSNAME>'),
  both('S7F44', 'Large Formatted Process Program Request Acknowledge', '<ACKC7>'),
)
