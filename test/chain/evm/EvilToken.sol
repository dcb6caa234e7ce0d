// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

/** A token that keeps to nothing: it answers wrongly, moves too little, or calls back while it is asked to move. */
contract EvilToken {
    enum Vice {
        none,
        returnsFalse,
        returnsNothing,
        keepsOne,
        movesNothing,
        callsBack,
        reverts
    }

    string public constant name = "USD Coin";
    string public constant version = "2";
    Vice public vice;
    address public target;
    bytes public data;
    /** What became of the call back. */
    uint256 public calls;
    bool public ok;
    bytes public result;
    mapping(address account => uint256) public balanceOf;

    error Evil();

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function turn(Vice vice_, address target_, bytes calldata data_) external {
        vice = vice_;
        target = target_;
        data = data_;
    }

    /** Makes it the sender of a call: an operator, for once. */
    function act(address to, bytes calldata call) external {
        (bool done, bytes memory reason) = to.call(call);
        if (done) return;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        return move(from, to, value);
    }

    function receiveWithAuthorization(address from, address to, uint256 value, uint256, uint256, bytes32, uint8, bytes32, bytes32) external {
        move(from, to, value);
    }

    function move(address from, address to, uint256 value) private returns (bool) {
        if (vice == Vice.reverts) revert Evil();
        if (vice == Vice.callsBack) {
            calls++;
            (ok, result) = target.call(data);
        }
        if (vice != Vice.movesNothing) {
            balanceOf[from] -= value;
            balanceOf[to] += vice == Vice.keepsOne ? value - 1 : value;
        }
        if (vice == Vice.returnsNothing) {
            assembly {
                return(0, 0)
            }
        }
        return vice != Vice.returnsFalse;
    }
}
