// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.37;

import {CollateralReduction, ExitWithdrawal, Terms, Withdrawal} from "./Terms.sol";
import {Token, Usdc} from "./Token.sol";

struct Account {
    /** The wallet, which signs for the account and is the only one that its money leaves to. */
    address owner;
    uint64 balance;
    /** Reductions that wait for their delay. */
    uint64 pending;
}

/** Who signs an account's quotes and confirmations, from this second on. */
struct QuoteSigner {
    address signer;
    uint64 since;
}

struct Reduction {
    bytes32 accountId;
    uint64 amount;
    uint64 releaseAt;
    bool released;
}

/** What stays as it is for the vault's life; times in seconds. */
struct Settings {
    /** How long after its acceptance a trade may reach the chain. */
    uint64 acceptDelayMax;
    uint64 reductionDelay;
    /** A cash-out takes the fee on its profit and sets the basis to the price; else only claims do. */
    bool feeOnCashout;
    /** Profit is counted from the stake; else from the stake less the entry fee. */
    bool profitOverGross;
}

/** Accounts of the service and the way of their money into the vault and out of it. */
abstract contract Accounts {
    using Token for Usdc;

    uint256 public constant CHAIN_ID = 999;
    /** The most that the vault may owe: 4,000,000,000 USDC. */
    uint256 public constant OWED_MAX = 4_000_000_000_000_000;

    Usdc public immutable usdc;
    uint64 public immutable acceptDelayMax;
    uint64 public immutable reductionDelay;
    bool public immutable feeOnCashout;
    bool public immutable profitOverGross;

    address public operator;
    /** Fees that the house has earned. */
    uint64 public house;
    address public proposedOperator;
    /** All balances, reductions that wait, pots of positions and the house. */
    uint64 public owed;
    bool private transient entered;

    mapping(bytes32 accountId => Account) public accounts;
    mapping(bytes32 reductionId => Reduction) public reductions;
    /** All signers that an account has had, in order; what was accepted under one stays good when another follows. */
    mapping(bytes32 accountId => QuoteSigner[]) private quoteSigners;
    /** What acceptances, quotes, requests and deposits were spent on, by kind, account and id: the hash of the content. */
    mapping(bytes32 key => bytes32) private spent;

    bytes32 internal constant USED_ACCEPTANCE = "acceptance";
    bytes32 internal constant USED_QUOTE = "quote";
    bytes32 private constant USED_REQUEST = "request";
    bytes32 private constant USED_DEPOSIT = "deposit";

    event Registered(bytes32 indexed accountId, address owner, address quoteSigner);
    event QuoteSignerChanged(bytes32 indexed accountId, address quoteSigner, uint64 since);
    event Deposited(bytes32 indexed accountId, uint256 amount, bytes32 depositId);
    event Withdrawn(bytes32 indexed accountId, uint256 amount, bytes32 requestKey);
    event ReductionStarted(bytes32 indexed reductionId, bytes32 indexed accountId, uint256 amount, uint64 releaseAt);
    event ReductionReleased(bytes32 indexed reductionId, bytes32 indexed accountId, uint256 amount);
    event OperatorProposed(address proposed);
    event OperatorChanged(address operator);

    error WrongChain(uint256 chainId);
    error NotContract(address token);
    error ZeroAddress();
    error NotOperator(address caller);
    error NotProposed(address caller);
    error Reentered();

    // What these refuse is done already.
    error AlreadyRegistered(bytes32 accountId, address owner);
    error AcceptanceUsed(bytes32 accountId, bytes32 acceptanceId);
    error RequestUsed(bytes32 accountId, bytes32 requestKey);
    error DepositUsed(bytes32 accountId, bytes32 depositId);
    error AlreadyReleased(bytes32 reductionId);

    // What these refuse names what is done already, and says something else of it.
    error AcceptanceUsedOtherwise(bytes32 accountId, bytes32 acceptanceId);
    error RequestUsedOtherwise(bytes32 accountId, bytes32 requestKey);
    error DepositUsedOtherwise(bytes32 accountId, bytes32 depositId);

    error UnknownAccount(bytes32 accountId);
    error AmountOutOfRange(uint256 amount);
    error InsufficientBalance(bytes32 accountId, uint256 balance, uint256 amount);
    error OwedTooMuch(uint256 owed);
    error OutsideWindow(uint64 validAfter, uint64 validBefore, uint256 timestamp);
    error ExitExpired(uint64 exitExpiry, uint256 timestamp);
    error SinceWrong(uint64 since, uint64 before, uint256 timestamp);
    error ReductionExists(bytes32 reductionId);
    error UnknownReduction(bytes32 reductionId);
    error ReductionNotDue(bytes32 reductionId, uint64 releaseAt);

    modifier onlyOperator() {
        if (msg.sender != operator) revert NotOperator(msg.sender);
        _;
    }

    modifier nonReentrant() {
        if (entered) revert Reentered();
        entered = true;
        _;
        entered = false;
    }

    constructor(Usdc usdc_, address operator_, Settings memory settings) {
        if (block.chainid != CHAIN_ID) revert WrongChain(block.chainid);
        if (operator_ == address(0)) revert ZeroAddress();
        if (address(usdc_).code.length == 0) revert NotContract(address(usdc_));
        usdc = usdc_;
        operator = operator_;
        acceptDelayMax = settings.acceptDelayMax;
        reductionDelay = settings.reductionDelay;
        feeOnCashout = settings.feeOnCashout;
        profitOverGross = settings.profitOverGross;
        emit OperatorChanged(operator_);
    }

    function proposeOperator(address next) external onlyOperator {
        proposedOperator = next;
        emit OperatorProposed(next);
    }

    function acceptOperator() external {
        if (msg.sender != proposedOperator) revert NotProposed(msg.sender);
        operator = msg.sender;
        proposedOperator = address(0);
        emit OperatorChanged(msg.sender);
    }

    /** The wallet consents by its signature of `Registration`; an account has one wallet for life. */
    function register(bytes32 accountId, address owner, address quoteSigner, bytes calldata signature) external onlyOperator {
        if (owner == address(0) || owner == address(this) || quoteSigner == address(0)) revert ZeroAddress();
        Account storage account = accounts[accountId];
        if (account.owner != address(0)) revert AlreadyRegistered(accountId, account.owner);
        Terms.requireSigned(Terms.hashOfRegistration(accountId, owner, quoteSigner), signature, owner);
        account.owner = owner;
        quoteSigners[accountId].push(QuoteSigner(quoteSigner, 0));
        emit Registered(accountId, owner, quoteSigner);
    }

    /** The wallet names who signs from a second on, not to come and not before the last change; the n-th change is signed with nonce n − 1. */
    function setQuoteSigner(bytes32 accountId, address quoteSigner, uint64 since, bytes calldata signature) external onlyOperator {
        if (quoteSigner == address(0)) revert ZeroAddress();
        address owner = known(accountId).owner;
        QuoteSigner[] storage signers = quoteSigners[accountId];
        uint64 changes = uint64(signers.length - 1);
        Terms.requireSigned(Terms.hashOfQuoteSigner(accountId, quoteSigner, since, changes), signature, owner);
        uint64 before = signers[changes].since;
        if (since < before || since > block.timestamp) revert SinceWrong(since, before, block.timestamp);
        signers.push(QuoteSigner(quoteSigner, since));
        emit QuoteSignerChanged(accountId, quoteSigner, since);
    }

    /** Credits an account with what the caller has approved. */
    function deposit(bytes32 accountId, uint256 amount) external nonReentrant {
        uint64 added = credit(accountId, amount, 0);
        usdc.take(msg.sender, added);
    }

    /** Credits an account out of its wallet by the EIP-3009 authorization whose nonce is the digest of `Deposit`. */
    function depositWithAuthorization(
        bytes32 accountId,
        uint256 amount,
        bytes32 depositId,
        uint256 validBefore,
        bytes calldata signature
    ) external onlyOperator nonReentrant {
        bytes32 before = spend(USED_DEPOSIT, accountId, depositId, bytes32(amount));
        if (before == bytes32(amount) && amount > 0) revert DepositUsed(accountId, depositId);
        if (before != 0) revert DepositUsedOtherwise(accountId, depositId);
        uint64 added = credit(accountId, amount, depositId);
        bytes32 nonce = Terms.digestOf(Terms.hashOfDeposit(accountId, depositId));
        usdc.takeAuthorized(accounts[accountId].owner, added, validBefore, nonce, signature);
    }

    function withdraw(Withdrawal calldata terms, bytes calldata signature) external onlyOperator nonReentrant {
        bytes32 structHash = Terms.hashOf(terms);
        useRequest(terms.account, terms.requestKey, structHash);
        requireWindow(terms.validAfter, terms.validBefore);
        pay(structHash, signature, terms.account, terms.amount, terms.requestKey);
    }

    /** A withdrawal that ends with its Exit besides. */
    function withdrawExit(ExitWithdrawal calldata terms, bytes calldata signature) external onlyOperator nonReentrant {
        bytes32 structHash = Terms.hashOf(terms);
        useRequest(terms.account, terms.requestKey, structHash);
        requireWindow(terms.validAfter, terms.validBefore);
        if (block.timestamp >= terms.exitExpiry) revert ExitExpired(terms.exitExpiry, block.timestamp);
        pay(structHash, signature, terms.account, terms.amount, terms.requestKey);
    }

    /** Takes collateral out of a balance; `release` pays it once the delay is over. */
    function reduce(bytes32 reductionId, CollateralReduction calldata terms, bytes calldata signature) external onlyOperator nonReentrant {
        bytes32 structHash = Terms.hashOf(terms);
        useRequest(terms.maker, terms.requestKey, keccak256(abi.encode(reductionId, structHash)));
        Reduction storage reduction = reductions[reductionId];
        if (reduction.accountId != 0) revert ReductionExists(reductionId);
        Account storage account = known(terms.maker);
        Terms.requireSigned(structHash, signature, account.owner);
        uint64 amount = amountOf(terms.amount);
        debit(account, terms.maker, amount);
        account.pending += amount;
        reduction.accountId = terms.maker;
        reduction.amount = amount;
        reduction.releaseAt = uint64(block.timestamp) + reductionDelay;
        emit ReductionStarted(reductionId, terms.maker, amount, reduction.releaseAt);
    }

    /** Anyone may call; the money goes to the account's wallet. */
    function release(bytes32 reductionId) external nonReentrant {
        Reduction storage reduction = reductions[reductionId];
        if (reduction.accountId == 0) revert UnknownReduction(reductionId);
        if (reduction.released) revert AlreadyReleased(reductionId);
        if (block.timestamp < reduction.releaseAt) revert ReductionNotDue(reductionId, reduction.releaseAt);
        Account storage account = accounts[reduction.accountId];
        uint64 amount = reduction.amount;
        reduction.released = true;
        account.pending -= amount;
        owed -= amount;
        emit ReductionReleased(reductionId, reduction.accountId, amount);
        usdc.pay(account.owner, amount);
    }

    /** Signers of an account's quotes, in order; none of an account that is not registered. */
    function signersOf(bytes32 accountId) external view returns (QuoteSigner[] memory) {
        return quoteSigners[accountId];
    }

    function isRequestUsed(bytes32 accountId, bytes32 requestKey) external view returns (bool) {
        return spent[spentKey(USED_REQUEST, accountId, requestKey)] != 0;
    }

    function isDepositUsed(bytes32 accountId, bytes32 depositId) external view returns (bool) {
        return spent[spentKey(USED_DEPOSIT, accountId, depositId)] != 0;
    }

    function isAcceptanceUsed(bytes32 accountId, bytes32 acceptanceId) external view returns (bool) {
        return spent[spentKey(USED_ACCEPTANCE, accountId, acceptanceId)] != 0;
    }

    function credit(bytes32 accountId, uint256 amount, bytes32 depositId) private returns (uint64 added) {
        added = amountOf(amount);
        known(accountId).balance += added;
        owe(added);
        emit Deposited(accountId, added, depositId);
    }

    function debit(Account storage account, bytes32 accountId, uint64 amount) internal {
        uint64 balance = account.balance;
        if (balance < amount) revert InsufficientBalance(accountId, balance, amount);
        account.balance = balance - amount;
    }

    function owe(uint64 amount) internal {
        uint64 total = owed + amount;
        if (total > OWED_MAX) revert OwedTooMuch(total);
        owed = total;
    }

    function pay(bytes32 structHash, bytes calldata signature, bytes32 accountId, uint256 amount, bytes32 requestKey) private {
        Account storage account = known(accountId);
        Terms.requireSigned(structHash, signature, account.owner);
        uint64 paid = amountOf(amount);
        debit(account, accountId, paid);
        owed -= paid;
        emit Withdrawn(accountId, paid, requestKey);
        usdc.pay(account.owner, paid);
    }

    function amountOf(uint256 amount) internal pure returns (uint64) {
        if (amount == 0 || amount > OWED_MAX) revert AmountOutOfRange(amount);
        return uint64(amount);
    }

    function known(bytes32 accountId) internal view returns (Account storage account) {
        account = accounts[accountId];
        if (account.owner == address(0)) revert UnknownAccount(accountId);
    }

    function requireWindow(uint64 validAfter, uint64 validBefore) internal view {
        if (block.timestamp < validAfter || block.timestamp >= validBefore) {
            revert OutsideWindow(validAfter, validBefore, block.timestamp);
        }
    }

    /** Reverts unless somebody signed the struct who signed for the account at some time in these seconds; in that of a change both do. */
    function requireQuoteSigned(bytes32 structHash, bytes calldata signature, bytes32 accountId, uint64 from, uint64 until) internal view {
        address actual = Terms.signerOf(structHash, signature);
        known(accountId);
        QuoteSigner[] storage signers = quoteSigners[accountId];
        address expected = address(0);
        for (uint256 i = signers.length; i > 0; i--) {
            QuoteSigner memory term = signers[i - 1];
            if (term.since > until) continue;
            if (term.signer == actual) return;
            if (expected == address(0)) expected = term.signer;
            if (term.since < from) break;
        }
        revert Terms.WrongSigner(expected, actual);
    }

    /** What the id of this kind was spent on before, or 0: then it is spent on this from now on. */
    function spend(bytes32 kind, bytes32 accountId, bytes32 id, bytes32 content) internal returns (bytes32 before) {
        bytes32 key = spentKey(kind, accountId, id);
        before = spent[key];
        if (before == 0) spent[key] = content;
    }

    function useRequest(bytes32 accountId, bytes32 requestKey, bytes32 content) private {
        bytes32 before = spend(USED_REQUEST, accountId, requestKey, content);
        if (before == content) revert RequestUsed(accountId, requestKey);
        if (before != 0) revert RequestUsedOtherwise(accountId, requestKey);
    }

    function spentKey(bytes32 kind, bytes32 accountId, bytes32 id) private pure returns (bytes32) {
        return keccak256(abi.encode(kind, accountId, id));
    }
}
