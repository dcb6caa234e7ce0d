/** What of viem the wire of the outcome service signs with. */
export { getAddress, hashMessage, hashTypedData } from 'viem/utils'
