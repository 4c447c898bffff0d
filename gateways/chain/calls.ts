import { encodeDeployData, encodeFunctionData } from 'viem';
import { acreRegistryAbi, acreRegistryBytecode } from './acre-registry.gen.ts';
import type { ChainCall, Hex } from './port.ts';

const abi = acreRegistryAbi;

/** The data of a call's transaction. A deployment makes the signer owner and minter. */
export function encodeCall(call: ChainCall, signer: Hex): Hex {
  switch (call.kind) {
    case 'deploy':
      return encodeDeployData({ abi, bytecode: acreRegistryBytecode, args: [signer, signer] });
    case 'anchor':
      return encodeFunctionData({ abi, functionName: 'anchor', args: [call.hash] });
    case 'mint':
      return encodeFunctionData({ abi, functionName: 'mint', args: [call.to, call.key, call.uri] });
    case 'transfer':
      return encodeFunctionData({
        abi,
        functionName: 'safeTransferFrom',
        args: [call.from, call.to, BigInt(call.tokenId)],
      });
    case 'base_uri':
      return encodeFunctionData({ abi, functionName: 'setBaseURI', args: [call.base] });
    default:
      return encodeFunctionData({ abi, functionName: call.kind });
  }
}
