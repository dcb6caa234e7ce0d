/** What of viem the wire of the outcome service signs with. */
export { domainSeparator } from 'viem'
export { getAddress, hashMessage, keccak256 } from 'viem/utils'
