// a * b + c, rounded once: a and b in E4M3FN, c and the result in f16, ties to even, overflow to infinity, NaNs to
// 7E00. Combinational. Both the product and c are multiples of 2^-24, so their sum is exact in 44 bits.
//
// MISTAKE selects a wrong unit, for the testbench to find: 1 no sticky bit, 2 subnormal FP8 read as zero, 3 E4M3's NaN
// read as 480, 4 a cancelled sum with the product's sign.
module fp8_fma #(
    parameter int MISTAKE = 0
) (
    input  logic [7:0]  a,
    input  logic [7:0]  b,
    input  logic [15:0] c,
    output logic [15:0] r,
    output logic [4:0]  flags // invalid, divide by zero, overflow, underflow, inexact
);
    logic        negative_p, negative_c, negative, nan, signals, infinite_c;
    logic [3:0]  ma, mb;
    logic [7:0]  mp;
    logic [5:0]  up;
    logic [43:0] p, addend, magnitude;
    logic [5:0]  leading, shift;
    logic [43:0] kept, discarded, half;
    logic        round, sticky, up_one;
    logic [16:0] code;

    function automatic logic [3:0] significand(input logic [7:0] x);
        if (MISTAKE == 2 && x[6:3] == 0) return 0;
        return {x[6:3] != 0, x[2:0]};
    endfunction

    function automatic logic [3:0] exponent(input logic [7:0] x);
        return x[6:3] == 0 ? 4'd1 : x[6:3];
    endfunction

    always_comb begin
        negative_p = a[7] ^ b[7];
        negative_c = c[15];
        ma = significand(a);
        mb = significand(b);
        mp = ma * mb;
        // a is ma * 2^(exponent - 10), so the product has the unit 2^(sum - 20): sum + 4 places above 2^-24.
        up = {2'b0, exponent(a)} + {2'b0, exponent(b)} + 6'd4;
        p = {36'b0, mp} << up;
        addend = {33'b0, c[14:10] != 0, c[9:0]} << (c[14:10] == 0 ? 5'd0 : c[14:10] - 5'd1);

        nan = c[14:10] == 31 && c[9:0] != 0;
        signals = nan && !c[9];
        if (MISTAKE != 3) nan = nan || a[6:0] == 7'h7F || b[6:0] == 7'h7F;
        infinite_c = c[14:0] == 15'h7C00;

        if (negative_p == negative_c) begin
            magnitude = p + addend;
            negative = negative_p;
        end else if (p >= addend) begin
            magnitude = p - addend;
            negative = p == addend ? (MISTAKE == 4 ? negative_p : 1'b0) : negative_p;
        end else begin
            magnitude = addend - p;
            negative = negative_c;
        end

        leading = 0;
        for (int i = 0; i < 44; i++) if (magnitude[i]) leading = i[5:0];
        shift = leading > 10 ? leading - 6'd10 : 6'd0;
        kept = magnitude >> shift;
        discarded = magnitude & ((44'd1 << shift) - 44'd1);
        half = (44'd1 << shift) >> 1;
        round = (discarded & half) != 0;
        sticky = MISTAKE != 1 && (discarded & ~half) != 0;
        up_one = round && (sticky || kept[0]);
        // The hidden bit is added to the exponent field.
        code = {1'b0, shift, 10'b0} + kept[16:0] + {16'b0, up_one};

        flags = 0;
        if (nan) begin
            r = 16'h7E00;
            flags[4] = signals;
        end else if (infinite_c) begin
            r = c;
        end else if (code >= 17'h7C00) begin
            r = {negative, 15'h7C00};
            flags = 5'b00101;
        end else begin
            r = {negative, code[14:0]};
            flags[0] = discarded != 0;
        end
    end
endmodule
